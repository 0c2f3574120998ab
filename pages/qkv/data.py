"""What the server answers for this page: where Q, K and V come from, X·W + b for all tokens, and W of one head."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pages.qkv.compute import ROLES, Origin, Projection, Role, entrance, head_weights, origin_of
from viz_core.app.answers import Between, Index, beyond
from viz_core.app.csv_files import Cell, csv_file
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.trace import BLOCK, Kind

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


def qkv_payload(model: Transformer, explanation: Explanation, kind: Kind, role: Role) -> bytes:
    """All layers and heads, without W: that of all would be a megabyte, and is the model's, not the sentence's.

    Tensors, always float32: x (L, T, D), what the projection reads, or (1, T, D) where that is the same in all layers;
    y (L, h, T, d_k), the queries, keys or values; b (L, h, d_k), the biases.

    About: walks, what moves the picked row, step or token; sources, the streams from above, and for q, k and v which of them it is
    made of and what comes out.
    """
    trace, config, words = explanation.trace, explanation.trace.config, texts("qkv")
    stack, block = BLOCK[kind]
    layers = range(config.layers(stack))
    origin = origin_of(entrance(trace, kind, 0, role))
    sites = list(dict.fromkeys(entrance(trace, kind, each, role) for each in layers))
    about = {
        "kind": kind,
        "role": role,
        "stack": "decoder" if origin == "decoder" else "encoder",
        "walks": "step" if origin == "decoder" else "token",
        "tokens": labels(explanation, origin),
        "sources": _sources(explanation, kind),
        "titles": {
            "x": words["matrices"][entering(explanation, origin)],
            "w": words["title_w"],
            "y": fill(words["title_y"], {"role": role.upper()}),
        },
        "axes": {"tokens": words["axes"][origin], "model": words["axis_model"], "head": words["axis_head"]},
        "texts": words["drawing"],
    }
    biases = [[head_weights(model, kind, role, each, i)[1] for i in range(config.n_heads)] for each in layers]
    tensors = {
        "x": np.stack([trace.array(site) for site in sites]),
        "y": np.stack([trace.array(f"{stack}.{each}.{block}.{role}") for each in layers]),
        "b": np.array(biases),
    }
    return pack({name: np.asarray(each, np.float32) for name, each in tensors.items()}, about)


def labels(explanation: Explanation, origin: Origin) -> list[str]:
    """The rows of X."""
    return [visible(label) for label in (explanation.target if origin == "decoder" else explanation.source).labels]


def entering(explanation: Explanation, origin: Origin) -> str:
    """The key of the texts about X: the place of LayerNorm, and whose vectors X holds."""
    return f"{explanation.trace.config.norm}_{origin}"


def _sources(explanation: Explanation, kind: Kind) -> dict[str, Any]:
    """The streams, their names with a place for the layer; role → the index of its stream; role → what comes out, such as
    `Q   9 × 32`.
    """
    trace, config = explanation.trace, explanation.trace.config
    sites = {role: entrance(trace, kind, 0, role) for role in ROLES}  # which of them are the same is so in every layer
    order = list(dict.fromkeys(sites.values()))
    names = texts("qkv")["streams"]
    streams = []
    for site in order:
        origin = origin_of(site)
        tokens = labels(explanation, origin)
        stack = "decoder" if origin == "decoder" else "encoder"
        name = enumerated([names[entering(explanation, origin)], f"{len(tokens)} × {config.d_model}"])
        streams.append({"name": name, "tokens": tokens, "stack": stack})
    results = {role: f"{role.upper()}   {len(trace.array(site))} × {config.d_k}" for role, site in sites.items()}
    return {"streams": streams, "feeds": {role: order.index(site) for role, site in sites.items()}, "results": results}


@csv_file("model_dimension head_dimension value")
def weights_csv(projection: Projection) -> Iterator[list[Cell]]:
    """W and b of one head, a line for each number; the bias has no model dimension."""
    for m, row in enumerate(projection.weight, 1):
        yield from ([m, c, value] for c, value in enumerate(row, 1))
    yield from ([None, c, value] for c, value in enumerate(projection.bias, 1))


def qkv(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, role: Role) -> bytes:
    """Where queries, keys or values of one attention come from, without W."""
    return qkv_payload(checkpoint.model, explanation, kind, role)


def projection_weights(checkpoint: Checkpoint, kind: Kind, role: Role, layer: Index, head: Index) -> bytes:
    """W of one head, (D, d_k), float32: the same for all sentences."""
    config, (stack, _) = checkpoint.config, BLOCK[kind]
    for name, index, count in (("layer", layer, config.layers(stack)), ("head", head, config.n_heads)):
        if index >= count:
            raise beyond(name, index, Between(0, count - 1))
    return pack({"w": head_weights(checkpoint.model, kind, role, layer, head)[0]}, {})


VIEWS = (qkv, projection_weights)
