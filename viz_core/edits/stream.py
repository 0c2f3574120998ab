"""Edits of the residual stream: layers and sub-layers, residual connections, LayerNorm, positions.

`no_residual` and `no_layer_norm` hand a value from an earlier site to a later one: such a set of edits serves one pass at a time.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.edits.places import Layer, Sublayer
from viz_core.taps import Captured, Edit
from viz_core.trace import BLOCKS


def without_layers(layers: Iterable[Layer]) -> dict[str, Edit]:
    """Every sub-layer of these layers is taken out; with post-norm their LayerNorms stay."""
    return without_sublayers(Sublayer(stack, layer, block) for stack, layer in layers for block in BLOCKS[stack])


def without_sublayers(sublayers: Iterable[Sublayer]) -> dict[str, Edit]:
    """These sub-layers add 0 to the stream."""
    return {f"{stack}.{layer}.{block}.out": torch.zeros_like for stack, layer, block in sublayers}


def no_residual(config: ModelConfig) -> dict[str, Edit]:
    """Each sum x + Sublayer(…) becomes Sublayer(…)."""
    found: dict[str, Edit] = {}
    for stack, layer, block in _sublayers(config):
        captured = Captured()
        found |= {f"{stack}.{layer}.{block}.out": captured.capture, f"{stack}.{layer}.resid_{block}": captured.restore}
    return found


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
    """Token i of the source gets the position of token S − 1 − i; the `padding` tokens behind it keep their own.

    For one sentence. The target keeps its order, since its length is unknown while it is written.
    """

    def turn(positions: Tensor) -> Tensor:  # (S, D)
        real = len(positions) - padding
        return torch.cat([positions[:real].flip(0), positions[real:]])

    return {"source.positions": turn}


def _sublayers(config: ModelConfig) -> Iterable[Sublayer]:
    return (Sublayer(stack, layer, b) for stack, blocks in BLOCKS.items() for layer in range(config.n_layers) for b in blocks)
