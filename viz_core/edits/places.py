"""Places in a model that an edit can name: a head, a layer, a sub-layer. All numbers from 0."""

from __future__ import annotations

from typing import NamedTuple

from viz_core.config import ModelConfig
from viz_core.errors import nearest
from viz_core.trace import BLOCK, BLOCKS, Kind, Stack


class Head(NamedTuple):
    """One head of one attention."""

    kind: Kind
    layer: int
    head: int

    def missing(self, config: ModelConfig) -> str:
        return _beyond("layer", self.layer, config.n_layers) or _beyond("head", self.head, config.n_heads)


class Layer(NamedTuple):
    """One layer of a stack, with all its sub-layers."""

    stack: Stack
    layer: int

    def missing(self, config: ModelConfig) -> str:
        return _beyond("layer", self.layer, config.n_layers)


class Sublayer(NamedTuple):
    """One sub-layer: `self_attn`, `cross_attn` or `ffn`."""

    stack: Stack
    layer: int
    block: str

    def missing(self, config: ModelConfig) -> str:
        if self.block not in BLOCKS[self.stack]:
            return f"no layer of the {self.stack} has {self.block!r}; {nearest(self.block, BLOCKS[self.stack])}"
        return _beyond("layer", self.layer, config.n_layers)


def attention_at(kind: Kind, layer: int) -> str:
    stack, block = BLOCK[kind]
    return f"{stack}.{layer}.{block}"


def _beyond(what: str, number: int, count: int) -> str:
    return "" if number < count else f"{what} {number} does not exist, this model has {what}s 0 to {count - 1}"
