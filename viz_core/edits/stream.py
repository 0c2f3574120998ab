"""Edits of the residual stream: layers and sub-layers, residual connections, LayerNorm, positions.

`no_residual` and `no_layer_norm` need a value from an earlier site of the same pass, which they share in a `Captured`: such a set
of edits serves one pass at a time and is made anew for the next.
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
    """Every sub-layer of these layers is taken out.

    With pre-norm the layer then hands on what it got, bit for bit. With post-norm its LayerNorms stay, so that it still normalizes.
    """
    return without_sublayers(Sublayer(stack, layer, block) for stack, layer in layers for block in BLOCKS[stack])


def without_sublayers(sublayers: Iterable[Sublayer]) -> dict[str, Edit]:
    """These sub-layers add 0 to the stream: pre-norm x + 0, and post-norm LayerNorm(x + 0), which keeps the LayerNorm."""
    return {f"{stack}.{layer}.{block}.out": torch.zeros_like for stack, layer, block in sublayers}


def no_residual(config: ModelConfig) -> dict[str, Edit]:
    """Each sum x + Sublayer(…) becomes Sublayer(…): the stream carries on nothing but what the last sub-layer says."""
    found: dict[str, Edit] = {}
    for stack, layer, block in _sublayers(config):
        captured = Captured()
        found |= {f"{stack}.{layer}.{block}.out": captured.capture, f"{stack}.{layer}.resid_{block}": captured.restore}
    return found


def no_layer_norm(config: ModelConfig) -> dict[str, Edit]:
    """Each LayerNorm hands on what it gets, its gain and bias left out as well; so does the one at the end of a pre-norm stack."""
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
    """Token i of the source gets the position of token S − 1 − i; padding that travels with it keeps its own.

    For one sentence: in a batch all would be turned in the width of the longest. The target keeps its order, since nobody knows its
    length while it is being written.

    Args:
        padding: how many tokens of it travel behind the source.
    """

    def turn(positions: Tensor) -> Tensor:  # (S, D)
        real = len(positions) - padding
        return torch.cat([positions[:real].flip(0), positions[real:]])

    return {"source.positions": turn}


def _sublayers(config: ModelConfig) -> Iterable[Sublayer]:
    return (Sublayer(stack, layer, b) for stack, blocks in BLOCKS.items() for layer in range(config.n_layers) for b in blocks)
