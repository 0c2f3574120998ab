"""The scores divided by the root of too small a number."""

from __future__ import annotations

import math

from torch import Tensor

from viz_core.analysis.variants.kept import Kept, attentions
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.taps import Edit


def scale(scores: Tensor, d_k: int, n_heads: int) -> Tensor:
    """Scores / √(d_k // h): d_k is a head's share already, and is divided by the number of heads once more."""
    return scores / math.sqrt(d_k // n_heads)


def possible(config: ModelConfig) -> bool:
    """Whether it is no division by 0."""
    return config.d_k >= config.n_heads


def edits(model: Transformer) -> dict[str, Edit]:
    """In every attention of a model."""
    found: dict[str, Edit] = {}
    for at in attentions(model.config):
        scores = Kept()
        found[f"{at}.scores"] = scores.keep
        found[f"{at}.scaled"] = scores.then(lambda kept: scale(kept, model.config.d_k, model.config.n_heads))
    return found
