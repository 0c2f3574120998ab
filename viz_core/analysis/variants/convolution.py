"""The feed-forward as two convolutions of width 1."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor

from viz_core.analysis.variants.kept import at_feed_forwards
from viz_core.model import Transformer
from viz_core.taps import Edit


def feed_forward(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """The same weights as kernels that see one position at a time; a convolution wants the dimensions before the positions."""
    channels = x.mT  # (B, D, T)
    hidden = F.conv1d(channels, w_1[:, :, None], b_1).relu()  # (B, F, T)
    return F.conv1d(hidden, w_2[:, :, None], b_2).mT  # (B, T, D)


def edits(model: Transformer) -> dict[str, Edit]:
    """In every feed-forward of a model."""
    return at_feed_forwards(model, lambda x, ffn: feed_forward(x, ffn.w_1.weight, ffn.w_1.bias, ffn.w_2.weight, ffn.w_2.bias))
