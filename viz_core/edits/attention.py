"""Edits inside attention: heads, scale, temperature, masks, uniform weights. Each is a function of the tensor at its site."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.edits.places import Head, attention_at
from viz_core.taps import Edit
from viz_core.trace import BLOCK, Kind

PADDING = 8
"""Tokens of padding with which a sentence travels when the padding mask is off: as many as beside a sentence of 8 tokens more."""


def without_heads(heads: Iterable[Head]) -> dict[str, Edit]:
    """What these heads mix is 0, so that W^O gets nothing from them; its bias stays (Michel et al. 2019, §2.3)."""
    found: dict[str, list[int]] = {}
    for kind, layer, head in heads:
        found.setdefault(f"{attention_at(kind, layer)}.mix", []).append(head)
    return {site: _zero(out) for site, out in found.items()}


def only_heads(only: Set[Head], config: ModelConfig) -> dict[str, Edit]:
    """Of each attention that is named, all other heads are taken out (Michel et al. 2019, §3.3)."""
    named = {(kind, layer) for kind, layer, _ in only}
    every = {Head(kind, layer, head) for kind, layer in named for head in range(config.n_heads)}
    return without_heads(every - only)


def no_scale(config: ModelConfig) -> dict[str, Edit]:
    """Softmax gets Q Kᵀ itself, not divided by √d_k (Vaswani et al. 2017, §3.2.1)."""
    root = math.sqrt(config.d_k)
    return _everywhere(config, "scaled", lambda scaled: scaled * root)


def temperature(value: float, config: ModelConfig) -> dict[str, Edit]:
    """Softmax of the scaled scores ÷ T: below 1 sharper, above 1 flatter."""
    return _everywhere(config, "scaled", lambda scaled: scaled / value)


def no_causal_mask(config: ModelConfig) -> dict[str, Edit]:
    """The decoder may look at later target tokens: every query gets the last one's row, which masks nothing but padding."""
    return _everywhere(config, "mask", lambda mask: mask[:, :, -1:].expand_as(mask), kinds=["masked"])


def no_padding_mask(config: ModelConfig) -> dict[str, Edit]:
    """The encoder and cross attention may look at the source's padding.

    A sentence alone has none; `viz_core.explain` sends it with PADDING of it, as in a batch.
    """
    return _everywhere(config, "mask", torch.ones_like, kinds=["self", "cross"])


def uniform(kinds: Iterable[Kind], config: ModelConfig) -> dict[str, Edit]:
    """Every key that may be looked at gets the same weight: all its scores are 0 before softmax."""
    return _everywhere(config, "masked", lambda masked: torch.where(masked == -math.inf, masked, 0.0), kinds=kinds)


def _everywhere(config: ModelConfig, site: str, edit: Edit, kinds: Iterable[Kind] = tuple(BLOCK)) -> dict[str, Edit]:
    return {f"{attention_at(kind, layer)}.{site}": edit for kind in kinds for layer in range(config.n_layers)}


def _zero(heads: list[int]) -> Edit:
    def edit(mix: Tensor) -> Tensor:  # (B, h, Tq, d_k)
        return mix.index_fill(1, torch.tensor(heads, device=mix.device), 0.0)

    return edit
