"""Which heads an edit takes out, by whichever switch: alone, with all but one, with the sub-layer, or with the layer."""

from __future__ import annotations

from viz_core.config import ModelConfig
from viz_core.edits.places import Layer, Sublayer
from viz_core.edits.table import Edits
from viz_core.trace import BLOCK, Kind


def heads_out(edits: Edits, config: ModelConfig, kind: Kind) -> list[tuple[int, int]]:
    """(layer, head) of all heads of one attention of which nothing goes on: what they weigh is still recorded."""
    stack, block = BLOCK[kind]
    alone = {(place.layer, place.head) for place in edits.heads if place.kind == kind}
    only = {(place.layer, place.head) for place in edits.only if place.kind == kind}
    chosen = {layer for layer, _ in only}
    whole = {i for i in range(config.n_layers) if Layer(stack, i) in edits.layers or Sublayer(stack, i, block) in edits.sublayers}
    every = [(layer, head) for layer in range(config.n_layers) for head in range(config.n_heads)]
    return [at for at in every if at[0] in whole or at in alone or (at[0] in chosen and at not in only)]
