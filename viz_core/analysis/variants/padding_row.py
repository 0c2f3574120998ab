"""A table of positions whose row 0 is kept for padding."""

from __future__ import annotations

import torch
from torch import Tensor

from viz_core.model import Transformer
from viz_core.model.embedding import positional_encoding
from viz_core.taps import Edit


def positions(length: int, d_model: int) -> Tensor:
    """Rows 1 … length of a table with one row more, the first of which is 0: the first token is at position 1, not 0."""
    table = positional_encoding(length + 1, d_model)  # (length + 1, D)
    table[0] = 0.0
    return table[torch.arange(1, length + 1)]  # (length, D)


def edits(model: Transformer) -> dict[str, Edit]:
    """On both sides of a model; for passes that begin at the first token."""
    return {f"{side}.positions": lambda usual: positions(len(usual), usual.size(1)) for side in ("source", "target")}
