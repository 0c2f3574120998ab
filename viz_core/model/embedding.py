"""Token embeddings and positional encoding (Vaswani et al. 2017, §3.4 and §3.5)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from viz_core.config import ModelConfig
from viz_core.taps import OFF, Tap


def positional_encoding(max_len: int, d_model: int) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same)  (§3.5).

    Returns:
        (max_len, d_model), computed in float64 and stored in float32.
    """
    # On the CPU even for a model of mere shapes, where arange would load torch's compiler, which takes a second.
    position = torch.arange(max_len, dtype=torch.float64, device="cpu")[:, None]  # (max_len, 1)
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu") / d_model)  # (d_model/2,)
    angle = position * rate  # (max_len, d_model/2)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


class Embedding(nn.Module):
    """Look up each token's vector, scale it by √d_model, add its position."""

    positions: Tensor

    def __init__(self, config: ModelConfig, vocab: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab, config.d_model))
        self.scale = math.sqrt(config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        # Computed from the formula, so not stored with the weights.
        self.register_buffer("positions", positional_encoding(config.max_len, config.d_model), persistent=False)

    def forward(self, ids: Tensor, tap: Tap = OFF, start: int = 0) -> Tensor:
        """What the first layer reads.

        Args:
            ids: token ids, (B, T).
            start: position of the first id; not 0 while decoding token by token.

        Returns:
            (B, T, D)
        """
        lookup = tap("lookup", self.weight[ids])  # (B, T, D)
        embedding = tap("embedding", lookup * self.scale)
        positions = tap("positions", self.positions[start : start + ids.size(1)])  # (T, D)
        return self.dropout(tap("input", embedding + positions))  # (B, T, D)
