"""Variants of LayerNorm, of the model's input, and of the feed-forward."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from viz_core.analysis.variants.sites import at_feed_forwards, at_norms
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.blocks import LayerNorm
from viz_core.model.embedding import positional_encoding
from viz_core.taps import Captured, Edit


def layer_norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-6) -> Tensor:
    """γ (x − μ) / (σ + ε) + β, where σ² is the sum of squares over D − 1."""
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)  # (B, T, 1)
    return gamma * (x - mean) / (std + eps) + beta


def layer_norm_edits(model: Transformer) -> dict[str, Edit]:
    return at_norms(model, lambda x, norm: layer_norm(x, norm.gamma, norm.beta))


@torch.inference_mode()
def layer_norm_outputs(row: Tensor, config: ModelConfig, deviations: tuple[float, ...]) -> list[tuple[float, float]]:
    """σ after the model's LayerNorm and after `layer_norm`, with γ = 1 and β = 0, of one vector, (D,), scaled to each of these
    σ.
    """
    ours, one, zero = LayerNorm(config), torch.ones_like(row), torch.zeros_like(row)
    unit = (row - row.mean()) / row.std(correction=0)
    given = [(unit * deviation)[None, None] for deviation in deviations]
    return [(_deviation(ours(x)), _deviation(layer_norm(x, one, zero))) for x in given]


def _deviation(x: Tensor) -> float:
    return float(x.std(correction=0))


def embed(lookup: Tensor, positions: Tensor) -> Tensor:
    """E_id + PE_pos: the embedding added to its position without √d_model."""
    return lookup + positions


def embed_edits(model: Transformer) -> dict[str, Edit]:
    found: dict[str, Edit] = {}
    for side in ("source", "target"):
        lookup, positions = Captured(), Captured()
        found |= {
            f"{side}.lookup": lookup.capture,
            f"{side}.positions": positions.capture,
            f"{side}.input": _sum(lookup, positions),
        }
    return found


def _sum(lookup: Captured, positions: Captured) -> Edit:
    return lambda _: embed(lookup.value, positions.value)


def shifted_positions(length: int, d_model: int) -> Tensor:
    """Rows 1 … length of a position table whose row 0 is reserved for padding: the first token is at position 1, not 0."""
    table = positional_encoding(length + 1, d_model)  # (length + 1, D)
    table[0] = 0.0
    return table[torch.arange(1, length + 1)]  # (length, D)


def shifted_positions_edits(model: Transformer) -> dict[str, Edit]:
    """`shifted_positions` on both sides of a model; for passes that begin at the first token."""
    return {f"{side}.positions": lambda usual: shifted_positions(len(usual), usual.size(1)) for side in ("source", "target")}


def convolution(x: Tensor, w_1: Tensor, b_1: Tensor, w_2: Tensor, b_2: Tensor) -> Tensor:
    """The feed-forward as two convolutions of width 1: the same weights as kernels that see one position at a time."""
    channels = x.mT  # (B, D, T): a convolution wants the dimensions before the positions
    hidden = F.conv1d(channels, w_1[:, :, None], b_1).relu()  # (B, F, T)
    return F.conv1d(hidden, w_2[:, :, None], b_2).mT  # (B, T, D)


def convolution_edits(model: Transformer) -> dict[str, Edit]:
    return at_feed_forwards(model, lambda x, ffn: convolution(x, ffn.w_1.weight, ffn.w_1.bias, ffn.w_2.weight, ffn.w_2.bias))
