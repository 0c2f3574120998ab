"""What the server answers for this page: where Q, K and V come from, X·W + b for all tokens, and W of one head."""

from __future__ import annotations

import numpy as np

from pages.qkv.compute import Origin, Role, entrance, head_weights
from viz_core.app.answers import Between, Index, beyond
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.trace import BLOCK, Kind


def qkv(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, role: Role) -> bytes:
    """The queries, keys or values of one attention, and what they are made from: X, Y and b of all layers and heads.

    W is fetched head by head: for all heads it takes a megabyte, and no sentence changes it.

    Tensors, always float32: x (L, T, D), what the projection reads, or (1, T, D) where all layers read the same;
    y (L, h, T, d_k), the queries, keys or values; b (L, h, d_k), the biases; scores (L, h, Tq, Tk).

    About: `sides`, the queries' and the keys' tokens; `norm`, the norm's place.
    """
    trace, config = explanation.trace, explanation.trace.config
    stack, block = BLOCK[kind]
    layers = range(config.layers(stack))
    sites = list(dict.fromkeys(entrance(trace, kind, layer, role) for layer in layers))
    about = {
        "kind": kind,
        "role": role,
        "sides": [[visible(label) for label in side.labels] for side in explanation.sides(kind)],
        "norm": config.norm,
    }
    biases = [[head_weights(checkpoint.model, kind, role, layer, i)[1] for i in range(config.n_heads)] for layer in layers]
    tensors = {
        "x": np.stack([trace.array(site) for site in sites]),
        "y": np.stack([trace.array(f"{stack}.{layer}.{block}.{role}") for layer in layers]),
        "b": np.array(biases),
        "scores": np.stack([layer.scores for layer in trace.attentions(kind)]),
    }
    return pack({name: np.asarray(tensor, np.float32) for name, tensor in tensors.items()}, about)


def entering(explanation: Explanation, origin: Origin) -> str:
    """The key of the texts about X, by the norm's place and the origin of X."""
    return f"{explanation.trace.config.norm}_{origin}"


def projection_weights(checkpoint: Checkpoint, kind: Kind, role: Role, layer: Index, head: Index) -> bytes:
    """W of one head, (D, d_k), float32, which is the same for all sentences."""
    config, (stack, _) = checkpoint.config, BLOCK[kind]
    for name, index, count in (("layer", layer, config.layers(stack)), ("head", head, config.n_heads)):
        if index >= count:
            raise beyond(name, index, Between(0, count - 1))
    return pack({"w": head_weights(checkpoint.model, kind, role, layer, head)[0]}, {})
