"""LayerNorm with σ + ε below the line, and σ unbiased."""

from __future__ import annotations

import torch
from torch import Tensor

from viz_core.analysis.variants.kept import at_norms
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.blocks import LayerNorm
from viz_core.taps import Edit


def layer_norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-6) -> Tensor:
    """γ (x − μ) / (σ + ε) + β, where σ² is the sum of squares over D − 1."""
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)  # (B, T, 1)
    return gamma * (x - mean) / (std + eps) + beta


def edits(model: Transformer) -> dict[str, Edit]:
    """In every LayerNorm of a model."""
    return at_norms(model, lambda x, norm: layer_norm(x, norm.gamma, norm.beta))


@torch.inference_mode()
def by_spread(row: Tensor, config: ModelConfig, spreads: tuple[float, ...]) -> list[tuple[float, float]]:
    """What both make of one vector with the spread σ that it is given: the spreads of their results, with γ = 1 and β = 0.

    Args:
        row: (D,).
    """
    ours, one, zero = LayerNorm(config), torch.ones_like(row), torch.zeros_like(row)
    unit = (row - row.mean()) / row.std(correction=0)
    given = [(unit * spread)[None, None] for spread in spreads]
    return [(_spread(ours(x)), _spread(layer_norm(x, one, zero))) for x in given]


def _spread(x: Tensor) -> float:
    return float(x.std(correction=0))
