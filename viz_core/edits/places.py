"""What can be taken out of a model: a head, a layer, a sub-layer. All numbers from 0."""

from __future__ import annotations

from typing import NamedTuple

from viz_core.config import ModelConfig
from viz_core.trace import BLOCK, BLOCKS, Kind, Stack


class Head(NamedTuple):
    """One head of one attention."""

    kind: Kind
    layer: int
    head: int

    def fits(self, config: ModelConfig) -> bool:
        """Whether a model of this shape has it."""
        return self.kind in BLOCK and 0 <= self.layer < config.n_layers and 0 <= self.head < config.n_heads


class Layer(NamedTuple):
    """One layer of a stack, with all its sub-layers."""

    stack: Stack
    layer: int

    def fits(self, config: ModelConfig) -> bool:
        """Whether a model of this shape has it."""
        return self.stack in BLOCKS and 0 <= self.layer < config.n_layers


class Sublayer(NamedTuple):
    """One sub-layer: `self_attn`, `cross_attn` or `ffn`."""

    stack: Stack
    layer: int
    block: str

    def fits(self, config: ModelConfig) -> bool:
        """Whether a model of this shape has it."""
        return self.block in BLOCKS.get(self.stack, ()) and 0 <= self.layer < config.n_layers


def attention_at(kind: Kind, layer: int) -> str:
    """The beginning of the names of one attention's sites."""
    stack, block = BLOCK[kind]
    return f"{stack}.{layer}.{block}"
