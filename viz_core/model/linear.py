"""The product x Wᵀ + b, in which most of a pass's time goes."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# One of torch's inner operators: a build without oneDNN, or a later one, may not have it, and then nothing is lost but time.
ONEDNN = getattr(torch.ops.mkldnn, "_linear_pointwise", None) if torch.backends.mkldnn.is_available() else None
ROWS = 16
"""From so many rows on, what oneDNN prepares for a product is won back."""


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The product x Wᵀ + b: (…, in) → (…, out).

    On the CPU, torch asks MKL for single precision, which needs up to twice the time of oneDNN on AMD's processors.
    oneDNN is asked instead where it can answer: it knows no gradients.
    """
    if ONEDNN is not None and x.numel() >= ROWS * x.size(-1) and _onednn_can(x):
        return ONEDNN(x, weight, bias, "none", [], "")
    return F.linear(x, weight, bias)


def _onednn_can(x: Tensor) -> bool:
    learning = torch.is_grad_enabled() or torch.is_autocast_enabled("cpu")
    return x.is_cpu and x.dtype == torch.float32 and not learning


class Linear(nn.Linear):
    """Linear map with weights W (out, in) and bias b (out,)."""

    def forward(self, x: Tensor) -> Tensor:
        """(…, in) → (…, out)"""
        return linear(x, self.weight, self.bias)
