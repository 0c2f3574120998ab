"""Variants inside attention: a large negative number in place of −∞ in the mask, and another scale of the scores."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from viz_core.analysis.variants.sites import attentions
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.attention import scaled_dot_product_attention
from viz_core.taps import Captured, Edit, Editor, Recorder

MASK_VALUES = (-math.inf, -1e9, -1e4)


def masked_weights(scaled: Tensor, mask: Tensor, value: float) -> Tensor:
    """Softmax of the scores, with `value` where a query may not look."""
    return scaled.masked_fill(~mask, value).softmax(-1)


def masked_row(scaled: Tensor, mask: Tensor, value: float, dtype: torch.dtype) -> Tensor | None:
    """The weights of one row in this precision, (Tk,); None where torch refuses the value as out of range."""
    try:
        return masked_weights(scaled.to(dtype), mask, value).float()
    except RuntimeError:
        return None


def model_row(scaled: Tensor, mask: Tensor, dtype: torch.dtype) -> Tensor:
    """The weights that this model's own attention computes for one row, (Tk,)."""
    q, k = torch.zeros(1, 1, dtype=dtype), torch.zeros(len(scaled), 1, dtype=dtype)
    recorder = Recorder()
    scaled_dot_product_attention(q, k, k, mask[None], Editor({"scaled": lambda _: scaled.to(dtype)[None]}, recorder))
    return recorder.tensors["weights"][0].float()


def mask_value_edits(model: Transformer, value: float = -1e9) -> dict[str, Edit]:
    found: dict[str, Edit] = {}
    for at in attentions(model.config):
        scaled, mask = Captured(), Captured()
        found |= {f"{at}.scaled": scaled.capture, f"{at}.mask": mask.capture, f"{at}.weights": _weights(scaled, mask, value)}
    return found


def _weights(scaled: Captured, mask: Captured, value: float) -> Edit:
    return lambda _: masked_weights(scaled.value, mask.value, value)


def scale(scores: Tensor, d_k: int, n_heads: int) -> Tensor:
    """Scores / √(d_k // h): d_k is the size of one head already, and is divided by the number of heads once more."""
    return scores / math.sqrt(d_k // n_heads)


def scale_possible(config: ModelConfig) -> bool:
    """Whether `scale` divides by more than 0."""
    return config.d_k >= config.n_heads


def scale_edits(model: Transformer) -> dict[str, Edit]:
    found: dict[str, Edit] = {}
    for at in attentions(model.config):
        scores = Captured()
        found[f"{at}.scores"] = scores.capture
        found[f"{at}.scaled"] = scores.then(lambda value: scale(value, model.config.d_k, model.config.n_heads))
    return found
