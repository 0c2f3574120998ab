"""A large negative number in place of −∞ where the mask forbids."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from viz_core.analysis.variants.kept import Kept, attentions
from viz_core.model import Transformer
from viz_core.model.attention import scaled_dot_product_attention
from viz_core.taps import Edit, Editor, Recorder

VALUES = (-math.inf, -1e9, -1e4)


def masked_weights(scaled: Tensor, mask: Tensor, value: float) -> Tensor:
    """Softmax of the scores, with `value` where a query may not look."""
    return scaled.masked_fill(~mask, value).softmax(-1)


def row(scaled: Tensor, mask: Tensor, value: float, dtype: torch.dtype) -> Tensor | None:
    """The weights of one row in this precision, (Tk,); None where the value is too large for it, which torch refuses."""
    try:
        return masked_weights(scaled.to(dtype), mask, value).float()
    except RuntimeError:
        return None


def ours(scaled: Tensor, mask: Tensor, dtype: torch.dtype) -> Tensor:
    """The weights that this model's own attention makes of one row, (Tk,)."""
    q, k = torch.zeros(1, 1, dtype=dtype), torch.zeros(len(scaled), 1, dtype=dtype)
    recorder = Recorder()
    scaled_dot_product_attention(q, k, k, mask[None], Editor({"scaled": lambda _: scaled.to(dtype)[None]}, recorder))
    return recorder.tensors["weights"][0].float()


def edits(model: Transformer, value: float = -1e9) -> dict[str, Edit]:
    """In every attention of a model."""
    found: dict[str, Edit] = {}
    for at in attentions(model.config):
        scaled, mask = Kept(), Kept()
        found |= {f"{at}.scaled": scaled.keep, f"{at}.mask": mask.keep, f"{at}.weights": _weights(scaled, mask, value)}
    return found


def _weights(scaled: Kept, mask: Kept, value: float) -> Edit:
    return lambda _: masked_weights(scaled.value, mask.value, value)
