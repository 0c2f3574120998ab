"""Attention (Vaswani et al. 2017, §3.2)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from viz_core.config import ModelConfig
from viz_core.model.cache import KeyValueCache
from viz_core.taps import OFF, Tap


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor, tap: Tap = OFF) -> Tensor:
    """softmax(Q Kᵀ / √d_k) V  (§3.2.1, eq. 1).

    Args:
        q: queries, (B, h, Tq, d_k).
        k: keys, (B, h, Tk, d_k).
        v: values, (B, h, Tk, d_k).
        mask: True where a query may look, broadcastable to (B, h, Tq, Tk).

    Returns:
        The mixed values of each head, (B, h, Tq, d_k). A query that may look nowhere gets zeros.
    """
    scores = tap("scores", q @ k.mT)  # (B, h, Tq, Tk)
    scaled = tap("scaled", scores / math.sqrt(q.size(-1)))
    mask = tap("mask", mask)
    masked = tap("masked", torch.where(mask, scaled, -math.inf))
    # A row of nothing but −∞ is 0/0; the second `where` makes it 0 and leaves every other row as it is.
    weights = tap("weights", torch.where(mask, masked.softmax(-1), 0.0))
    return tap("mix", weights @ v)  # (B, h, Tq, d_k)


class MultiHeadAttention(nn.Module):
    """Concat(head_1 … head_h) Wᴼ, with head_i = Attention(x W_iQ, y W_iK, y W_iV)  (§3.2.2)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.n_heads = config.n_heads
        self.w_q = nn.Linear(config.d_model, config.d_model)
        self.w_k = nn.Linear(config.d_model, config.d_model)
        self.w_v = nn.Linear(config.d_model, config.d_model)
        self.w_o = nn.Linear(config.d_model, config.d_model)

    def forward(self, x: Tensor, y: Tensor, mask: Tensor, tap: Tap = OFF, cache: KeyValueCache | None = None) -> Tensor:
        """Lets each position of x look at the positions of y.

        Args:
            x: where the queries come from, (B, Tq, D).
            y: where keys and values come from, (B, Tk, D). The same tensor as x in self-attention.
            mask: True where a query may look, broadcastable to (B, h, Tq, Tk).
            cache: keys and values of earlier steps, while decoding token by token.

        Returns:
            (B, Tq, D)
        """
        q = self.split(self.w_q(x))  # (B, h, Tq, d_k)
        k, v = self.keys_values(y) if cache is None else cache.extend(self.keys_values, y)  # (B, h, Tk, d_k)
        q, k, v = tap("q", q), tap("k", k), tap("v", v)
        mix = scaled_dot_product_attention(q, k, v, mask, tap)  # (B, h, Tq, d_k)
        return tap("out", self.w_o(mix.transpose(1, 2).flatten(2)))  # (B, Tq, D)

    def keys_values(self, y: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of y for every head, (B, h, Tk, d_k) each."""
        return self.split(self.w_k(y)), self.split(self.w_v(y))

    def split(self, x: Tensor) -> Tensor:
        """Cuts the last dimension into heads: (B, T, D) → (B, h, T, d_k)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
