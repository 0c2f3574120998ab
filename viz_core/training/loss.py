"""Cross-entropy with label smoothing (Szegedy et al. 2016; Vaswani et al. 2017, §5.4)."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional as F

from viz_core.config import PAD_ID


def smoothed_cross_entropy(logits: Tensor, predict: Tensor, smoothing: float) -> Tensor:
    """Mean over the real positions of −Σ_v q(v) log p(v), with q = (1 − ε) · one-hot + ε / V.

    Args:
        logits: (B, T, V).
        predict: ids that should follow, (B, T); PAD_ID does not count.
        smoothing: ε.

    Returns:
        A scalar, in nats for each token.
    """
    return F.cross_entropy(logits.flatten(0, 1).float(), predict.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing)
