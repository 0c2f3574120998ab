"""Two models, or two sentences, side by side: what they write and hold probable, and where they look."""

from __future__ import annotations

from viz_core.analysis.changed import Changed
from viz_core.components import pair
from viz_core.payload.pair import Side, beside_payload, pair_payload
from viz_core.trace import Kind
from viz_core.ui import cache
from viz_core.ui.writer import Page


def show_pair(p: Page, left: Side, right: Side, found: Changed | None = None) -> None:
    """Both translations and both distributions, compared step by step where both were asked for the same output."""
    p.mounted["pair"] = pair_payload(left, right, found)
    pair.show_pair(p.mounted["pair"])


def show_beside(p: Page, left: Side, right: Side, kind: Kind) -> None:
    """The same attention of both, on one scale."""
    packed = [cache.get_attention(side.checkpoint.digest, side.explanation, kind) for side in (left, right)]
    pair.show_beside(beside_payload((left.name, right.name), *packed), f"{p.name}_{kind}")
