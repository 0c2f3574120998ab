"""Places in a model that an edit can name, and what each intervention does there: edits of named sites."""

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
"""Padding tokens after a sentence when the padding mask is off: as many as in a batch with a sentence that is 8 tokens longer."""


def without_heads(heads: Iterable[Head]) -> dict[str, Edit]:
    """The outputs of these heads are set to 0, so that W^O gets nothing from them; its bias stays (Michel et al. 2019, §2.3)."""
    removed: dict[str, list[int]] = {}
    for kind, layer, head in heads:
        removed.setdefault(f"{attention_at(kind, layer)}.mix", []).append(head)
    return {site: _zero(out) for site, out in removed.items()}


def only_heads(only: Set[Head], config: ModelConfig) -> dict[str, Edit]:
    """In each named attention all other heads are removed (Michel et al. 2019, §3.3)."""
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
    return {f"{attention_at(kind, layer)}.{site}": edit for kind in kinds for layer in range(config.layers(BLOCK[kind][0]))}


def _zero(heads: list[int]) -> Edit:
    def edit(mix: Tensor) -> Tensor:  # (B, h, Tq, d_k)
        return mix.index_fill(1, torch.tensor(heads, device=mix.device), 0.0)

    return edit


def without_layers(layers: Iterable[Layer]) -> dict[str, Edit]:
    """Every sub-layer of these layers is removed; with post-norm their LayerNorms stay."""
    return without_sublayers(Sublayer(stack, layer, block) for stack, layer in layers for block in BLOCKS[stack])


def without_sublayers(sublayers: Iterable[Sublayer]) -> dict[str, Edit]:
    """These sub-layers add 0 to the stream."""
    return {f"{stack}.{layer}.{block}.out": torch.zeros_like for stack, layer, block in sublayers}


def no_residual(config: ModelConfig) -> dict[str, Edit]:
    """Each sum x + Sublayer(…) becomes Sublayer(…)."""
    edits: dict[str, Edit] = {}
    for stack, layer, block in _sublayers(config):
        captured = Captured()
        edits |= {f"{stack}.{layer}.{block}.out": captured.capture, f"{stack}.{layer}.resid_{block}": captured.restore}
    return edits


def no_layer_norm(config: ModelConfig) -> dict[str, Edit]:
    """Each LayerNorm returns its input, without gain and bias."""
    captured = {stack: Captured() for stack in BLOCKS}
    ends: dict[str, Edit] = {"source.input": captured["encoder"].capture, "target.input": captured["decoder"].capture}
    ends |= {"encoder.memory": captured["encoder"].restore, "decoder.states": captured["decoder"].restore}
    for stack, layer, block in _sublayers(config):
        # pre-norm gives the sum before this sub-layer, post-norm its own: either way the last value captured
        at = f"{stack}.{layer}"
        ends |= {f"{at}.norm_{block}": captured[stack].restore, f"{at}.resid_{block}": captured[stack].capture}
    return ends


def no_positions() -> dict[str, Edit]:
    """0 is added instead of each position, on both sides (Vaswani et al. 2017, §3.5): the encoder sees a bag of tokens."""
    return {"source.positions": torch.zeros_like, "target.positions": torch.zeros_like}


def reversed_positions(padding: int) -> dict[str, Edit]:
    """Token i of the source gets the position of token S − 1 − i; the `padding` tokens after it keep their own.

    For one sentence. The target keeps its order, since its length is unknown while it is written.
    """

    def turn(positions: Tensor) -> Tensor:  # (S, D)
        real = len(positions) - padding
        return torch.cat([positions[:real].flip(0), positions[real:]])

    return {"source.positions": turn}


def _sublayers(config: ModelConfig) -> Iterable[Sublayer]:
    return (Sublayer(stack, layer, b) for stack, blocks in BLOCKS.items() for layer in range(config.layers(stack)) for b in blocks)
