"""The layers that the stacks are made of (Vaswani et al. 2017, §3.1 and §3.3)."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viz_core.config import ModelConfig
from viz_core.model.attention import MultiHeadAttention
from viz_core.model.cache import KeyValueCache
from viz_core.taps import OFF, Tap

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "swish": F.silu}


class LayerNorm(nn.Module):
    """γ (x − μ) / √(σ² + ε) + β, over the d_model numbers of each position (Ba et al. 2016).

    In models of The Annotated Transformer γ (x − μ) / (s + ε) + β, where s² is the sum of squares divided by d_model − 1.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(config.d_model))
        self.beta = nn.Parameter(torch.zeros(config.d_model))
        self.eps, self.kind = config.layer_norm_eps, config.layer_norm

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) → (B, T, D), each position on its own."""
        centred = x - x.mean(-1, keepdim=True)  # x − μ
        if self.kind == "deviation":
            return self.gamma * centred / (x.std(-1, keepdim=True) + self.eps) + self.beta
        variance = centred.square().mean(-1, keepdim=True)  # σ², (B, T, 1)
        normed = centred * (variance + self.eps).rsqrt()
        return torch.addcmul(self.beta, self.gamma, normed)


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂, the same for every position (§3.3, eq. 2); or with another function than max(0, ·)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.w_1 = nn.Linear(config.d_model, config.d_ff)
        self.w_2 = nn.Linear(config.d_ff, config.d_model)
        self.activation = ACTIVATIONS[config.activation]

    def forward(self, x: Tensor, tap: Tap = OFF) -> Tensor:
        """(B, T, D) → (B, T, D)"""
        hidden = tap("hidden", self.activation(self.w_1(x)))  # (B, T, F)
        return tap("out", self.w_2(hidden))  # (B, T, D)


class AddAndNorm(nn.Module):
    """The residual connection around a sub-layer, with its LayerNorm.

    Post-norm is the paper's LayerNorm(x + Sublayer(x)) (§3.1); pre-norm is x + Sublayer(LayerNorm(x)), which trains
    more easily (Xiong et al. 2020) and needs one more LayerNorm at the end of the stack.
    """

    def __init__(self, config: ModelConfig, name: str) -> None:
        super().__init__()
        self.name, self.pre = name, config.norm == "pre"
        self.norm = LayerNorm(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer: Callable[[Tensor], Tensor], tap: Tap = OFF) -> Tensor:
        """(B, T, D) → (B, T, D)"""
        norm_site, resid_site = f"norm_{self.name}", f"resid_{self.name}"
        if self.pre:
            normed = tap(norm_site, self.norm(x))
            return tap(resid_site, x + self.dropout(sublayer(normed)))
        summed = tap(resid_site, x + self.dropout(sublayer(x)))
        return tap(norm_site, self.norm(summed))


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward (left half of Figure 1)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(config)
        self.ffn = FeedForward(config)
        self.add_self_attn = AddAndNorm(config, "self_attn")
        self.add_ffn = AddAndNorm(config, "ffn")

    def forward(self, x: Tensor, mask: Tensor, tap: Tap = OFF) -> Tensor:
        """(B, S, D) → (B, S, D); mask is True at real tokens, (B, 1, 1, S)."""
        x = self.add_self_attn(x, lambda y: self.self_attn(y, y, mask, tap.at("self_attn")), tap)
        return self.add_ffn(x, lambda y: self.ffn(y, tap.at("ffn")), tap)


class DecoderLayer(nn.Module):
    """Masked self-attention, cross attention, feed-forward (right half of Figure 1)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(config)
        self.cross_attn = MultiHeadAttention(config)
        self.ffn = FeedForward(config)
        self.add_self_attn = AddAndNorm(config, "self_attn")
        self.add_cross_attn = AddAndNorm(config, "cross_attn")
        self.add_ffn = AddAndNorm(config, "ffn")

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor,
        memory_mask: Tensor,
        tap: Tap = OFF,
        caches: tuple[KeyValueCache | None, KeyValueCache | None] = (None, None),
    ) -> Tensor:
        """(B, T, D) → (B, T, D)

        Args:
            x: the stream so far, (B, T, D).
            memory: the encoder's output, (B, S, D).
            mask: where a target position may look in the target, (B, 1, T, T).
            memory_mask: where it may look in the source, (B, 1, 1, S).
            caches: of self- and cross attention, while decoding token by token.
        """
        self_cache, cross_cache = caches
        x = self.add_self_attn(x, lambda y: self.self_attn(y, y, mask, tap.at("self_attn"), self_cache), tap)
        x = self.add_cross_attn(x, lambda y: self.cross_attn(y, memory, memory_mask, tap.at("cross_attn"), cross_cache), tap)
        return self.add_ffn(x, lambda y: self.ffn(y, tap.at("ffn")), tap)
