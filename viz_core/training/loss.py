"""Cross-entropy with label smoothing (Szegedy et al. 2016; Vaswani et al. 2017, §5.4): for training, and term by term."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from torch import Tensor
from torch.nn import functional as F

from viz_core.config import PAD_ID
from viz_core.trace import Array

Doubles = npt.NDArray[np.float64]


def smoothed_cross_entropy(logits: Tensor, predict: Tensor, smoothing: float) -> Tensor:
    """Mean over the real positions of −Σ_v q(v) log p(v), with q = (1 − ε) · one-hot + ε / V, in nats per token, a scalar.

    Args:
        logits: (B, T, V).
        predict: ids that should follow, (B, T); PAD_ID does not count.
        smoothing: ε.
    """
    return F.cross_entropy(logits.flatten(0, 1).float(), predict.flatten(), ignore_index=PAD_ID, label_smoothing=smoothing)


def smoothed_target(tokens: int, true: int, smoothing: float) -> Doubles:
    """Q = (1 − ε) · one-hot + ε / V, (V,)  (Szegedy et al. 2016)."""
    q = np.full(tokens, smoothing / tokens)
    q[true] += 1 - smoothing
    return q


def position_losses(log_probs: Array, true: npt.NDArray[np.int64], smoothing: float) -> Doubles:
    """−Σ_v q(v) ln p(v) at each position, (T,), from log_probs (T, V) and the true tokens (T,)."""
    logs = log_probs.astype(np.float64)
    of_true = np.take_along_axis(logs, true[:, None], axis=1)[:, 0]  # (T,)
    spread = logs.mean(axis=1) if smoothing else 0.0  # with ε = 0 even a token of probability 0 costs nothing
    return np.asarray(-(1 - smoothing) * of_true - smoothing * spread)


def loss_of_probability(p: Doubles, tokens: int, smoothing: float) -> Doubles:
    """The loss at one position where the true token has probability p and all others share the rest equally."""
    q = 1 - smoothing + smoothing / tokens
    return np.asarray(-q * np.log(p) - (1 - q) * np.log((1 - p) / (tokens - 1)))


def least_loss(tokens: int, smoothing: float) -> float:
    """The least possible loss at a position: the entropy of the smoothed target."""
    q = smoothed_target(tokens, 0, smoothing)
    return float(-np.sum(q[q > 0] * np.log(q[q > 0])))
