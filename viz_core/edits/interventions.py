"""Places in a model that an edit can name, and the interventions as edits of named sites."""

import math
from collections.abc import Iterable, Set
from typing import NamedTuple

import torch
from torch import Tensor

from viz_core.config import ModelConfig, Stack
from viz_core.errors import nearest
from viz_core.taps import Captured, Edit
from viz_core.trace import BLOCK, BLOCKS, Kind


class Head(NamedTuple):
    """One head of one attention."""

    kind: Kind
    layer: int
    head: int

    def missing(self, config: ModelConfig) -> str:
        return _beyond("layer", self.layer, config.layers(BLOCK[self.kind][0])) or _beyond("head", self.head, config.n_heads)


class Layer(NamedTuple):
    """One layer of a stack, with all its sub-layers."""

    stack: Stack
    layer: int

    def missing(self, config: ModelConfig) -> str:
        return _beyond("layer", self.layer, config.layers(self.stack))


class Sublayer(NamedTuple):
    """One sub-layer: `self_attn`, `cross_attn` or `ffn`."""

    stack: Stack
    layer: int
    block: str

    def missing(self, config: ModelConfig) -> str:
        if self.block not in BLOCKS[self.stack]:
            return f"no layer of the {self.stack} has {self.block!r}; {nearest(self.block, BLOCKS[self.stack])}"
        return _beyond("layer", self.layer, config.layers(self.stack))


def attention_at(kind: Kind, layer: int) -> str:
    stack, block = BLOCK[kind]
    return f"{stack}.{layer}.{block}"


def _beyond(what: str, number: int, count: int) -> str:
    return "" if number < count else f"{what} {number} does not exist, this model has {what}s 0 to {count - 1}"


PADDING = 8
"""Padding tokens after a sentence when the padding mask is off, as if the batch had a sentence that is 8 tokens longer."""


def without_heads(heads: Iterable[Head]) -> dict[str, Edit]:
    """Sets the outputs of these heads to 0 before W^O, whose bias stays (Michel et al. 2019, §2.3)."""
    removed: dict[str, list[int]] = {}
    for kind, layer, head in heads:
        removed.setdefault(f"{attention_at(kind, layer)}.mix", []).append(head)
    return {site: _zero(out) for site, out in removed.items()}


def only_heads(only: Set[Head], config: ModelConfig) -> dict[str, Edit]:
    """Removes all other heads of the attentions that these heads belong to (Michel et al. 2019, §3.3)."""
    named = {(kind, layer) for kind, layer, _ in only}
    every = {Head(kind, layer, head) for kind, layer in named for head in range(config.n_heads)}
    return without_heads(every - only)


def no_scale(config: ModelConfig) -> dict[str, Edit]:
    """Softmax of Q Kᵀ, without the division by √d_k (Vaswani et al. 2017, §3.2.1)."""
    root = math.sqrt(config.d_k)
    return _everywhere(config, "scaled", lambda scaled: scaled * root)


def temperature(value: float, config: ModelConfig) -> dict[str, Edit]:
    """Softmax of the scaled scores ÷ T: below 1 sharper, above 1 flatter."""
    return _everywhere(config, "scaled", lambda scaled: scaled / value)


def no_causal_mask(config: ModelConfig) -> dict[str, Edit]:
    """Lets the decoder see later target tokens: every query gets the mask of the last one, which hides nothing but padding."""
    return _everywhere(config, "mask", lambda mask: mask[:, :, -1:].expand_as(mask), kinds=["masked"])


def no_padding_mask(config: ModelConfig) -> dict[str, Edit]:
    """Lets the encoder and cross attention see the source's padding.

    A single sentence has none, so `viz_core.explain` appends PADDING tokens of it, as in a batch.
    """
    return _everywhere(config, "mask", torch.ones_like, kinds=["self", "cross"])


def uniform(kinds: Iterable[Kind], config: ModelConfig) -> dict[str, Edit]:
    """Gives every allowed key the same weight: all scores are 0 before the softmax."""
    return _everywhere(config, "masked", lambda masked: torch.where(masked == -math.inf, masked, 0.0), kinds=kinds)


def _everywhere(config: ModelConfig, site: str, edit: Edit, kinds: Iterable[Kind] = tuple(BLOCK)) -> dict[str, Edit]:
    return {f"{attention_at(kind, layer)}.{site}": edit for kind in kinds for layer in range(config.layers(BLOCK[kind][0]))}


def _zero(heads: list[int]) -> Edit:
    def edit(mix: Tensor) -> Tensor:  # (B, h, Tq, d_k)
        return mix.index_fill(1, torch.tensor(heads, device=mix.device), 0.0)

    return edit


def without_layers(layers: Iterable[Layer]) -> dict[str, Edit]:
    """Removes every sub-layer of these layers; with post-norm, their LayerNorms stay."""
    return without_sublayers(Sublayer(stack, layer, block) for stack, layer in layers for block in BLOCKS[stack])


def without_sublayers(sublayers: Iterable[Sublayer]) -> dict[str, Edit]:
    """Makes these sub-layers add 0 to the stream."""
    return {f"{stack}.{layer}.{block}.out": torch.zeros_like for stack, layer, block in sublayers}


def no_residual(config: ModelConfig) -> dict[str, Edit]:
    """Replaces each sum x + Sublayer(…) by Sublayer(…)."""
    edits: dict[str, Edit] = {}
    for stack, layer, block in _sublayers(config):
        captured = Captured()
        edits |= {f"{stack}.{layer}.{block}.out": captured.capture, f"{stack}.{layer}.resid_{block}": captured.restore}
    return edits


def no_layer_norm(config: ModelConfig) -> dict[str, Edit]:
    """Makes each LayerNorm return its input."""
    captured = {stack: Captured() for stack in BLOCKS}
    ends: dict[str, Edit] = {"source.input": captured["encoder"].capture, "target.input": captured["decoder"].capture}
    ends |= {"encoder.memory": captured["encoder"].restore, "decoder.states": captured["decoder"].restore}
    for stack, layer, block in _sublayers(config):
        # The last captured value is the sum before this sub-layer with pre-norm, its own sum with post-norm.
        prefix = f"{stack}.{layer}"
        ends |= {f"{prefix}.norm_{block}": captured[stack].restore, f"{prefix}.resid_{block}": captured[stack].capture}
    return ends


def no_positions() -> dict[str, Edit]:
    """Sets all positions to 0 on both sides (Vaswani et al. 2017, §3.5), so that the encoder sees a bag of tokens."""
    return {"source.positions": torch.zeros_like, "target.positions": torch.zeros_like}


def reversed_positions(padding: int) -> dict[str, Edit]:
    """Gives source token i the position of token S − 1 − i; the `padding` tokens at the end keep their own.

    For a single sentence. The target keeps its order, since its length is unknown while it is written.
    """

    def turn(positions: Tensor) -> Tensor:  # (S, D)
        real = len(positions) - padding
        return torch.cat([positions[:real].flip(0), positions[real:]])

    return {"source.positions": turn}


def _sublayers(config: ModelConfig) -> Iterable[Sublayer]:
    return (Sublayer(stack, layer, b) for stack, blocks in BLOCKS.items() for layer in range(config.layers(stack)) for b in blocks)
