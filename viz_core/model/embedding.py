"""Inputs of a stack: padded ids, masks, and embeddings with their positions (Vaswani et al. 2017, §3.4 and §3.5).

Masks are True where a query may look: booleans, so that no −1e9 ever meets a half-precision number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from viz_core.config import PAD_ID, ModelConfig
from viz_core.model.blocks import LayerNorm
from viz_core.taps import OFF, Tap


def positional_encoding(max_len: int, d_model: int, halves: bool = False) -> Tensor:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same)  (§3.5).

    Args:
        halves: all sines stand before all cosines, as in Marian (Junczys-Dowmunt et al. 2018).

    Returns:
        (max_len, d_model), computed in float64 and stored in float32.
    """
    # On the CPU even for a model on the meta device, where arange would load torch's compiler, which takes a second.
    position = torch.arange(max_len, dtype=torch.float64, device="cpu")[:, None]  # (max_len, 1)
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu") / d_model)  # (d_model/2,)
    angle = position * rate  # (max_len, d_model/2)
    return torch.stack([angle.sin(), angle.cos()], dim=1 if halves else 2).flatten(1).float()


class Embedding(nn.Module):
    """Look up each token's vector, scale it by √d_model, add its position; in some models, a LayerNorm follows."""

    positions: Tensor

    def __init__(self, config: ModelConfig, vocab: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab, config.d_model))
        self.scale = math.sqrt(config.d_model) if config.scaled_embeddings else 1.0
        self.norm = LayerNorm(config) if config.embedding_norm else None
        self.dropout = nn.Dropout(config.dropout)
        if config.positions == "learned":
            self.positions = nn.Parameter(torch.empty(config.max_len, config.d_model))
        else:  # computed from the formula, so not stored with the weights
            table = positional_encoding(config.max_len, config.d_model, halves=config.positions == "halves")
            self.register_buffer("positions", table, persistent=False)

    def forward(self, ids: Tensor, tap: Tap = OFF, start: int = 0) -> Tensor:
        """The input of the first layer.

        Args:
            ids: token ids, (B, T).
            start: position of the first id; not 0 while decoding token by token.

        Returns:
            (B, T, D)
        """
        lookup = tap("lookup", self.weight[ids])  # (B, T, D)
        embedding = tap("embedding", lookup * self.scale)
        positions = tap("positions", self.positions[start : start + ids.size(1)])  # (T, D)
        if self.norm is None:
            return self.dropout(tap("input", embedding + positions))  # (B, T, D)
        summed = tap("summed", embedding + positions)  # (B, T, D)
        return self.dropout(tap("input", self.norm(summed)))  # (B, T, D)


def pad(rows: Sequence[Sequence[int]], pad_id: int = PAD_ID) -> Tensor:
    """Ids of unequal length as one matrix, (B, longest), filled up with pad_id at the end."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad_id] * (width - len(row))] for row in rows])


def padding_mask(ids: Tensor, pad_id: int = PAD_ID) -> Tensor:
    """True at real tokens, False at padding. The first is always real: the decoder of Marian starts with ⟨pad⟩.

    Args:
        ids: token ids, (B, Tk).

    Returns:
        (B, 1, 1, Tk): every query of every head may look at the same keys.
    """
    real = ids != pad_id
    real[:, 0] = True
    return real[:, None, None, :]


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """True at keys no later than the query (§3.2.3).

    Returns:
        (1, 1, T, T), lower triangular.
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()[None, None]
