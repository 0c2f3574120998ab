"""The residual stream: the length of each token's vector after each sub-layer, and the arithmetic of one addition."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from pages.residual.controls import pick_sublayer, pick_token
from pages.residual.downloads import lengths_csv
from pages.residual.stream_figures import Stop, stream_lengths
from viz_core.analysis.residual_stream import StreamPlace, residual_sum, stream_norms, stream_places
from viz_core.app.page import Page
from viz_core.trace import Stack

ARITHMETIC = {"pre": "arithmetic_stream_pre", "post": "arithmetic_stream_post"}
CODE = {"pre": "code_pre", "post": "code_post"}


def show_stream(p: Page, stack: Stack, row: Any) -> None:
    """The lengths of the stream's vectors, and of what each sub-layer added."""
    view = p.view
    with row:
        block = pick_sublayer(p, stack)
        labels, token = pick_token(p, stack)
    places = stream_places(view.config, stack)
    stops = [Stop(_name(p, stack, place), place.layer) for place in places]
    lengths = stream_norms(view.trace, [place.site for place in places])[:, : len(labels)]
    added = stream_norms(view.trace, [place.added for place in places])[:, : len(labels)]
    stop = next(i for i, place in enumerate(places) if place.kind == "add" and (place.layer, place.block) == (view.layer, block))
    p.write("lead_stream", token=labels[token])
    figure = stream_lengths(
        lengths, added, stops, labels, token=token, stop=stop, axes=(p.text("length_axis"), p.text("added_axis")),
        layer_name=p.text("layer"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "stream", clicks="layer")
    p.offer("lengths", f"{stack}-lengths", partial(lengths_csv, stops, labels, lengths, added), stack=p.text(stack).capitalize())
    one = residual_sum(view.trace, stack, view.layer, block, token)
    dim = int(np.abs(one.added).argmax())
    vectors = {"before": one.x, "added": one.added, "after": one.total}
    directions = p.table("directions")
    p.arithmetic(
        ARITHMETIC[view.config.norm], token=labels[token], layer=view.layer + 1, name=p.table("sublayers")[f"{stack}_{block}"],
        dim=dim + 1, x=float(one.x[dim]), brings=float(one.added[dim]), total=float(one.total[dim]), cosine=one.cosine,
        direction=directions["same" if one.cosine > 0.5 else "opposite" if one.cosine < -0.25 else "sideways"],
        **{name: float(np.linalg.norm(vector.astype(np.float64))) for name, vector in vectors.items()},
    )  # fmt: skip
    p.show_code(CODE[view.config.norm])


def _name(p: Page, stack: Stack, place: StreamPlace) -> str:
    """What a place is called on the axis."""
    names = p.table("stops")
    if place.kind == "add":
        return names[f"{stack}_{place.block}"]
    return names["input" if place.kind == "input" else "norm" if place.layer is not None else "final_norm"]
