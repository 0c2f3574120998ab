"""The residual stream: the length of each token's vector after each sub-layer, and the arithmetic of one addition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pages.residual.compute import Stop
from pages.residual.controls import pick_sublayer, stack_tokens
from pages.residual.downloads import lengths_csv
from viz_core.analysis.residual_stream import StreamPlace, residual_sum, stream_norms, stream_places
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.figures.attention import Floats, click_targets
from viz_core.figures.base import figure, percent, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill, texts
from viz_core.trace import Stack

ARITHMETIC = {"pre": "arithmetic_stream_pre", "post": "arithmetic_stream_post"}
CODE = {"pre": "code_pre", "post": "code_post"}
PRINTED = 16  # up to so many places each has its number
BAND = 0.1  # of the figure's height, for the names of the layers
NOTE = 30  # px above the names, for the line about the tokens that leave the figure
HEADROOM, ADDED_HEADROOM = 1.4, 1.35  # the end of an axis, as a multiple of the picked token's largest number
NAMED = 3  # of the tokens that leave the figure, so many are named


def show_stream(p: Page, stack: Stack, row: Any) -> None:
    """The lengths of the stream's vectors, and of what each sub-layer added."""
    view = p.view
    with row:
        block = pick_sublayer(p, stack)
        labels, token = stack_tokens(p, stack)
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
    addition = residual_sum(view.trace, stack, view.layer, block, token)
    dim, cosine = int(np.abs(addition.added).argmax()), min(max(addition.cosine, -1.0), 1.0)
    vectors = {"before": addition.x, "added": addition.added, "after": addition.total}
    p.arithmetic(
        ARITHMETIC[view.config.norm], token=labels[token], layer=view.layer + 1, name=p.table("sublayers")[f"{stack}_{block}"],
        dim=dim + 1, x=float(addition.x[dim]), brings=float(addition.added[dim]), total=float(addition.total[dim]), cosine=cosine,
        angle=f"{math.degrees(math.acos(cosine)):.0f}", new=percent(math.sqrt(1 - cosine**2)), old=percent(abs(cosine)),
        direction=Raw(p.table("directions")["along" if cosine >= 0 else "against"]),
        **{name: float(np.linalg.norm(vector.astype(np.float64))) for name, vector in vectors.items()},
    )  # fmt: skip
    p.show_code(CODE[view.config.norm])


def _name(p: Page, stack: Stack, place: StreamPlace) -> str:
    """What a place is called on the axis."""
    names = p.table("stops")
    if place.kind == "add":
        return names[f"{stack}_{place.block}"]
    return names["input" if place.kind == "input" else "norm" if place.layer is not None else "final_norm"]


def stream_lengths(
    lengths: Floats, added: Floats, stops: Sequence[Stop], tokens: Sequence[str], *, token: int, stop: int, axes: tuple[str, str],
    layer_name: str, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The length of each token's vector after each sub-layer, and of the vector that was added; a click carries the layer.

    Both axes end a little above the picked token's largest number: at ⟨/s⟩ a vector can be seven times as long as elsewhere, and
    would flatten all other curves. Lines of other tokens may leave the figure; a note says which and how far.

    Args:
        lengths: (stops, T), of all tokens: in grey, the picked one highlighted.
        added: (stops, T), of what the sub-layer added; NaN where nothing is added.
        tokens: T labels.
        token, stop: the picked ones.
        axes: titles of the two vertical axes.
        layer_name: the word above each layer's area, followed by its number.
    """
    places, across = len(stops), list(range(len(stops)))
    fig = figure(palette, height=520)
    printed = places <= PRINTED
    x, y, says = [], [], []
    for i, label in enumerate(tokens):
        if i != token:  # one trace for all, with gaps between the tokens
            x += [*across, None]
            y += [*map(float, lengths[:, i]), None]
            says += [*(f"«{plain(label)}» {value:.1f}" for value in lengths[:, i]), ""]
    faint = {"color": palette.quiet, "width": 1.5}
    fig.add_scatter(x=x, y=y, mode="lines", line=faint, opacity=0.4, hovertext=says, name="others")
    own, brought = lengths[:, token], added[:, token]
    fig.add_scatter(
        x=across, y=own, mode="lines+markers+text" if printed else "lines+markers", text=[_brief(value) for value in own],
        textposition="top center", line={"color": palette.accent, "width": 5}, marker={"size": 11}, hoverinfo="skip",
        cliponaxis=False, name="picked",
    )  # fmt: skip
    fig.add_bar(
        x=across, y=brought, yaxis="y2", hoverinfo="skip", width=0.62, name="added",
        marker={"color": palette.output, "opacity": [1.0 if i == stop else 0.55 for i in across]},
        text=[_brief(value) for value in brought] if printed else None, textposition="outside", textangle=0, constraintext="none",
    )  # fmt: skip
    reach, most = HEADROOM * _largest(own), ADDED_HEADROOM * _largest(brought)
    label, beyond = tokens[token], _beyond(lengths, tokens, reach)
    if beyond:
        fig.add_annotation(text=beyond, x=0, xref="paper", xanchor="left", y=1, yref="paper", yanchor="bottom")
        fig.update_layout(margin_t=16 + NOTE, height=fig.layout["height"] + NOTE)
    say(fig, f"«{plain(label)}», {plain(stops[stop].name)}: {own[stop]:.2f}", *filter(None, [beyond]))
    at = [(i, layer) for i, (_, layer) in enumerate(stops) if layer is not None]
    for key, values, heights, axis in (("after", own, own, "y"), ("adds", brought, brought / 2, "y2")):
        there = [(i, layer) for i, layer in at if not np.isnan(values[i])]
        said = [_hover(key, token=label, stop=stops[i].name, length=f"{values[i]:.2f}") for i, _ in there]
        click_targets(fig, [i for i, _ in there], [float(heights[i]) for i, _ in there], [[layer, 0] for _, layer in there], said)
        fig.data[-1].update(yaxis=axis)
    _layers(fig, stops, stop, layer_name, palette)
    names = [stop.name for stop in stops]
    fig.update_xaxes(**token_axis(names, "", stop, palette.accent), tickangle=-40, anchor="y2")
    grid = {"showgrid": True, "nticks": 5}
    fig.update_layout(
        yaxis={**grid, "domain": [0.42, 1 - BAND], "range": [0, reach], "title": {"text": axes[0]}},
        yaxis2={**grid, "domain": [0, 0.33], "range": [0, most], "title": {"text": axes[1]}},
    )
    return fig


def _brief(value: float) -> str:
    """A length above its mark; nothing where there is none."""
    return "" if np.isnan(value) else f"{value:.{0 if value >= 9.95 else 1}f}"


def _hover(name: str, **values: str) -> str:
    """The hover text of one point."""
    return fill(texts("residual.hovers")[name], {key: plain(value) for key, value in values.items()})


def _largest(values: Floats) -> float:
    """The largest of these that is a number; 1 where none is above 0, for an axis must have some length."""
    return float(np.max(values[np.isfinite(values)], initial=0.0)) or 1.0


def _beyond(lengths: Floats, tokens: Sequence[str], reach: float) -> str:
    """Which tokens' lines leave the axis and how far they go, the longest first; empty where none does. lengths: (stops, T)."""
    words, peaks = texts("residual.beyond"), lengths.max(axis=0)
    leaving = [int(i) for i in np.argsort(-peaks, kind="stable") if peaks[i] > reach]
    parts = [fill(words["token"], {"token": plain(tokens[i]), "length": _brief(peaks[i])}) for i in leaving[:NAMED]]
    if rest := leaving[NAMED:]:
        parts.append(fill(words["more"], {"count": len(rest), "length": _brief(peaks[rest[0]])}))
    return fill(words["note"], {"tokens": words["between"].join(parts)}) if parts else ""


def _layers(fig: Figure, stops: Sequence[Stop], highlighted: int, name: str, palette: Palette) -> None:
    """A shaded area behind the places of each layer, named at the top; that of the picked place is highlighted."""
    for layer in sorted({stop.layer for stop in stops if stop.layer is not None}):
        inside = [i for i, stop in enumerate(stops) if stop.layer == layer]
        here = stops[highlighted].layer == layer
        ends = {"x0": inside[0] - 0.48, "x1": inside[-1] + 0.48, "y0": 0, "y1": 1, "yref": "paper"}
        colour = f"{palette.accent}2E" if here else palette.panel
        fig.add_shape(type="rect", layer="below", fillcolor=colour, line={"width": 0}, **ends)
        text = plain(f"{name} {layer + 1}")
        middle = (inside[0] + inside[-1]) / 2
        fig.add_annotation(text=f"<b>{text}</b>" if here else text, x=middle, y=1, yref="paper", yanchor="top")
