"""What the browser draws of the projections of one head: where Q, K and V come from, and X·W + b for all tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pages.qkv.compute import ROLES, Origin, Role, entrance, origin_of, projection
from viz_core.browser.pack import pack
from viz_core.explain import Explanation
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.trace import Kind

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


def qkv_payload(model: Transformer, explanation: Explanation, kind: Kind, role: Role, layer: int, head: int) -> bytes:
    """One layer and head: all layers' X and all heads' W would be megabytes.

    Tensors, always float32: x (T, D), what the projection reads; w (D, d_k), this head's columns of W; y (T, d_k), the queries,
    keys or values.

    About: walks, what moves the picked row, step or token; sources, the streams from above, and for q, k and v which of them it is
    made of and what comes out.
    """
    made = projection(model, explanation.trace, kind, layer, head, role)
    words = texts("qkv")
    about = {
        "layer": layer,
        "head": head,
        "role": role,
        "stack": "decoder" if made.origin == "decoder" else "encoder",
        "walks": "step" if made.origin == "decoder" else "token",
        "tokens": labels(explanation, made.origin),
        "sources": _sources(explanation, kind, layer),
        "titles": {
            "x": words["matrices"][entering(explanation, made.origin)],
            "w": fill(words["title_w"], {"head": head + 1}),
            "y": fill(words["title_y"], {"role": role.upper()}),
        },
        "axes": {"tokens": words["axes"][made.origin], "model": words["axis_model"], "head": words["axis_head"]},
        "texts": words["drawing"],
    }
    x, w, y = (np.asarray(each, np.float32) for each in (made.x, made.weight, made.y))
    return pack({"x": x, "w": w, "y": y}, about)


def labels(explanation: Explanation, origin: Origin) -> list[str]:
    """The rows of X."""
    return [visible(label) for label in (explanation.target if origin == "decoder" else explanation.source).labels]


def entering(explanation: Explanation, origin: Origin) -> str:
    """The key of the texts about X: the place of LayerNorm, and whose vectors X holds."""
    return f"{explanation.trace.config.norm}_{origin}"


def _sources(explanation: Explanation, kind: Kind, layer: int) -> dict[str, Any]:
    """The streams; role → the index of its stream; role → what comes out, such as `Q   9 × 32`."""
    trace, config = explanation.trace, explanation.trace.config
    sites = {role: entrance(trace, kind, layer, role) for role in ROLES}
    order = list(dict.fromkeys(sites.values()))
    names = texts("qkv")["streams"]
    streams = []
    for site in order:
        origin = origin_of(site)
        tokens = labels(explanation, origin)
        name = fill(names[entering(explanation, origin)], {"layer": layer + 1})
        stack = "decoder" if origin == "decoder" else "encoder"
        streams.append({"name": enumerated([name, f"{len(tokens)} × {config.d_model}"]), "tokens": tokens, "stack": stack})
    results = {role: f"{role.upper()}   {len(trace.array(site))} × {config.d_k}" for role, site in sites.items()}
    return {"streams": streams, "feeds": {role: order.index(site) for role, site in sites.items()}, "results": results}
