"""What both sides write: their distributions step by step, and how probable each whole output is."""

from __future__ import annotations

import numpy as np

from viz_core.app.comparison import changes, divergence_arithmetic, show_comparison
from viz_core.app.page import Page
from viz_core.browser.comparison_payload import Side
from viz_core.explain import Explanation


def show_output(p: Page, left: Side, right: Side, *, same: bool) -> None:
    """Both outputs; same: both sides predict the tokens of the left one, which gives a divergence."""
    if same:
        found = changes(left, right)
        show_comparison(p, left, right, found)
        divergence_arithmetic(p, found)
        return
    show_comparison(p, left, right)
    wholes = [_whole(side.explanation) for side in (left, right)]
    counts = [len(side.explanation.output) for side in (left, right)]
    if not np.isfinite(wholes).all():
        p.arithmetic("divergence_unknown")
        return
    (first, second), (many, others) = wholes, counts
    p.arithmetic(
        "wholes", first=first, second=second, many=many, others=others, mean_first=float(np.exp(first / many)),
        mean_second=float(np.exp(second / others)),
    )  # fmt: skip


def _whole(ex: Explanation) -> float:
    """Σ ln p of the output of a side, in nats."""
    return float(sum(float(step.log_probs[step.expected.id]) for step in ex.steps))
