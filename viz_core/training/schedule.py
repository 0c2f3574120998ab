"""The learning rate over time (Vaswani et al. 2017, §5.3)."""

from __future__ import annotations


def noam(step: int, d_model: int, warmup: int) -> float:
    """d_model^−0.5 · min(step^−0.5, step · warmup^−1.5)  (§5.3, eq. 3).

    Args:
        step: from 1; 0 is taken as 1.
        warmup: steps until the peak.
    """
    step = max(step, 1)
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def cooldown(step: int, total: int, share: float) -> float:
    """1, then in a straight line to 0 over the last `share` of all steps.

    The paper averages its last checkpoints to the same end: the noise of a large learning rate goes out of the weights.
    """
    if share <= 0.0:
        return 1.0
    return min(1.0, max(0.0, (total - step) / (total * share)))
