"""The embedding added to its position without √d_model."""

from __future__ import annotations

from torch import Tensor

from viz_core.analysis.variants.kept import Kept
from viz_core.model import Transformer
from viz_core.taps import Edit


def embed(lookup: Tensor, positions: Tensor) -> Tensor:
    """E_id + PE_pos."""
    return lookup + positions


def edits(model: Transformer) -> dict[str, Edit]:
    """On both sides of a model."""
    found: dict[str, Edit] = {}
    for side in ("source", "target"):
        lookup, positions = Kept(), Kept()
        found |= {f"{side}.lookup": lookup.keep, f"{side}.positions": positions.keep, f"{side}.input": _sum(lookup, positions)}
    return found


def _sum(lookup: Kept, positions: Kept) -> Edit:
    return lambda _: embed(lookup.value, positions.value)
