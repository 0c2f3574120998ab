"""The last softmax: the pieces that could come next, and how sure the model was at each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from viz_core.figures.attention import Floats, click_targets, signed, thin_columns
from viz_core.figures.base import FONT, annotate, figure, percent, plain, token_axis
from viz_core.figures.palette import LIGHT, Palette

Show = Literal["probabilities", "logits", "both"]
PRINTED = 12  # up to so many steps each bar has its value


@dataclass(frozen=True, eq=False)
class Candidates:
    """The pieces to draw, most probable first, and all the others as one.

    Attributes:
        labels, ranks: n of each.
        logits, probabilities: (n,) each.
        before: what the same pieces had one step before, (n,); None at the first step.
        rest: probability of all the others together.
        rest_logits: lowest, mean and highest logit among the others.
        chosen: index of the piece that the model writes.
        typed: index of the piece that stands in a typed target, if that is another one.
    """

    labels: Sequence[str]
    ranks: Sequence[int]
    logits: Floats
    probabilities: Floats
    before: Floats | None
    rest: float
    rest_logits: tuple[float, float, float]
    chosen: int
    typed: int | None = None


def candidate_bars(
    pieces: Candidates,
    *,
    show: Show,
    rest: str,
    names: tuple[str, str, str],
    limits: tuple[float, float],
    picked: int | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """One bar for each piece and one for all the others; a click carries the index of the piece.

    Args:
        show: probabilities on an axis of always 0…100 %, logits on one that is the same at every step, or both.
        rest: what the last row is called; a line break is kept.
        names: titles of the two axes, logits and probabilities, and what the ghost is called.
        limits: least and largest logit of the axis.
        picked: index of the piece whose arithmetic is shown; its label is lit.
    """
    n = len(pieces.labels)
    rows, last, both = list(range(n)), n + 0.35, show == "both"
    fig = figure(palette, height=round(118 + (n + 1.5) * (42 if n <= 6 else 32)), bargap=0.28)
    fig.update_layout(margin={"t": 36})
    colours = [_colour(i, pieces, palette) for i in rows]
    notes: list[dict[str, Any]] = []
    if show != "probabilities":
        notes += _logits(fig, pieces, last, colours, palette, domain=(0.0, 0.28 if both else 0.86), limits=limits, title=names[0])
    axis = "x2" if both else "x"
    if show != "logits":
        notes += _probabilities(fig, pieces, last, colours, palette, axis, domain=(0.46 if both else 0.0, 0.74), names=names)
    annotate(fig, notes)
    low, high = limits if show == "logits" else (0.0, 1.0)
    says = [
        f"«{plain(label)}»: logit {signed(float(z))}, {percent(float(p))}, rank {rank:,}"
        for label, z, p, rank in zip(pieces.labels, pieces.logits, pieces.probabilities, pieces.ranks, strict=True)
    ]
    across = [low + (high - low) * share for share in (0.02, 0.25, 0.5, 0.75, 0.98)]  # anywhere on a row is heard
    at = [i for i in rows for _ in across]
    click_targets(fig, across * n, at, [[i, 0] for i in at], [says[i] for i in at])  # type: ignore[arg-type]
    fig.data[-1].update(xaxis=axis)
    called = "<br>".join(plain(line) for line in rest.split("\n"))
    texts = [*(_label(i, pieces, picked, palette) for i in rows), called]
    fig.update_yaxes(tickmode="array", tickvals=[*rows, last], ticktext=texts, range=[last + 0.6, -0.6], ticks="")
    return fig


def steps_overview(
    probabilities: Floats,
    labels: Sequence[str],
    *,
    title: str,
    axes: tuple[str, str],
    lit: int,
    best: tuple[Floats, Sequence[str], str] | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """How probable each written piece was, on a fixed 0…100 % axis; a click carries the step.

    Args:
        probabilities: (T,), of the pieces in `labels`.
        axes: titles across and up.
        lit: the current step.
        best: for a typed target, (T,) of what the model would have written, those pieces, and the legend of the mark.
    """
    n = len(labels)
    fig = figure(palette, title=title, height=330, bargap=0.22)
    fig.add_bar(
        x=list(range(n)),
        y=probabilities,
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
        marker={
            "color": palette.output if best is None else palette.accent,
            "opacity": [1.0 if i == lit else 0.45 for i in range(n)],
        },
        text=[percent(float(p)) for p in probabilities] if n <= PRINTED else None,
        textposition="outside",
        textfont={"size": FONT, "color": palette.ink},
        textangle=0,
        constraintext="none",
    )
    numbered = enumerate(zip(labels, probabilities, strict=True), 1)
    says = [f"{i}  «{plain(label)}»: {percent(float(p))}" for i, (label, p) in numbered]
    if best is not None:
        values, pieces, name = best
        mark = {"symbol": "line-ew", "size": max(8, min(44, 560 // n)), "line": {"width": 5, "color": palette.output}}
        fig.add_scatter(
            x=list(range(n)), y=values, mode="markers", marker=mark, name=plain(name), hoverinfo="skip", cliponaxis=False
        )
        would = [f"{plain(name)}: «{plain(piece)}», {percent(float(p))}" for piece, p in zip(pieces, values, strict=True)]
        says = [f"{say}<br>{other}" for say, other in zip(says, would, strict=True)]
        legend = {"orientation": "h", "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
        fig.update_layout(showlegend=True, legend=legend)
    up = [0.12, 0.38, 0.64, 0.9]
    at = [i for i in range(n) for _ in up]
    click_targets(fig, at, up * n, [[i, 0] for i in at], [says[i] for i in at])  # type: ignore[arg-type]
    fig.data[-1].update(showlegend=False)
    slant = sum(map(len, labels)) > 60 or n > PRINTED
    fig.update_xaxes(**token_axis(labels, axes[0], lit, palette.accent, thin=thin_columns(n)), tickangle=-40 if slant else 0)
    fig.update_yaxes(title={"text": axes[1]}, range=[0, 1.16], tickvals=[0, 0.5, 1], tickformat=".0%")
    return fig


def sentence_so_far(before: str, piece: str, *, ahead: str = "", end: str = "", most: int = 90, palette: Palette = LIGHT) -> str:
    """The sentence as far as it is written, large, and the next piece, as HTML.

    Args:
        ahead: what is said after the piece.
        end: said in place of the sentence while nothing is written.
        most: characters of a long sentence that are shown, its end.
    """
    shown = f"… {before[-most:]}" if len(before) > most else before
    written = f"<span>{plain(shown)}</span>" if before else f'<i style="color:{palette.quiet}">{plain(end)} </i>'
    said = f' <small style="color:{palette.quiet}">{plain(ahead)}</small>' if ahead else ""
    box = f"background:{palette.output}33;border:3px solid {palette.output};border-radius:10px;padding:0 .5rem"
    large = f"font-size:2.1rem;line-height:1.5;color:{palette.ink};white-space:pre-wrap;overflow-wrap:anywhere"
    next_piece = f'<b style="{box};font-weight:700;unicode-bidi:isolate">{plain(piece)}</b>'
    return f'<div dir="auto" style="{large}">{written}{next_piece}{said}</div>'


def _colour(index: int, pieces: Candidates, palette: Palette) -> str:
    if index == pieces.typed:
        return palette.accent
    return palette.output if index == pieces.chosen else f"{palette.output}88"


def _label(index: int, pieces: Candidates, picked: int | None, palette: Palette) -> str:
    text = plain(pieces.labels[index])
    if index == picked:
        text = f'<b><span style="color:{palette.accent}">{text}</span></b>'
    elif index == pieces.chosen:
        text = f"<b>{text}</b>"
    return f'<span style="color:{palette.quiet}">{pieces.ranks[index]:,}</span>  {text}'


def _numbers(last: float, texts: list[str], x: float, colour: str, head: str = "") -> list[dict[str, Any]]:
    """A column of numbers, aligned on the right at x in 0…1; the last one on the row of all the others."""
    places = [*range(len(texts) - 1), last]
    shared = {"x": x, "xref": "paper", "xanchor": "right", "yref": "y", "showarrow": False, "font": {"size": FONT, "color": colour}}
    numbers = [*zip(places, texts, strict=True), (-0.6, head)]
    return [{"y": y, "text": text, "yanchor": "middle" if y >= 0 else "bottom", **shared} for y, text in numbers if text]


def _probabilities(
    fig: go.Figure,
    pieces: Candidates,
    last: float,
    colours: list[str],
    palette: Palette,
    axis: str,
    *,
    domain: tuple[float, float],
    names: tuple[str, str, str],
) -> list[dict[str, Any]]:
    """Draws the panel of probabilities and gives back its numbers, as annotations."""
    values = [*map(float, pieces.probabilities), pieces.rest]
    rows = list(range(len(values) - 1))
    shared = {"orientation": "h", "hoverinfo": "skip", "xaxis": axis, "width": 0.72}
    fig.add_bar(x=values, y=[*rows, last], marker={"color": [*colours, palette.quiet]}, **shared)
    notes = _numbers(last, [percent(value) for value in values], domain[1] + 0.11, palette.ink)
    if pieces.before is not None:
        mark = {"symbol": "line-ns", "size": 26, "line": {"width": 3, "color": palette.quiet}}
        before = [*map(float, pieces.before)]
        seen = [value if value >= 0.005 else None for value in before]  # at the very edge a mark would be no more than a line
        fig.add_scatter(x=seen, y=rows, mode="markers", marker=mark, hoverinfo="skip", xaxis=axis, cliponaxis=False, name="ghost")
        notes += _numbers(last, [*(percent(value) for value in before), ""], 1.0, palette.quiet, f"┃ {plain(names[2])}")
    ticks = {"range": [0, 1], "tickformat": ".0%", "tickvals": [0, 0.25, 0.5, 0.75, 1], "title": {"text": names[1]}}
    if domain[0] > 0:
        ticks["tickvals"] = [0, 0.5, 1]
    fig.update_layout({f"xaxis{axis[1:]}": {**_grid(palette), **ticks, "domain": list(domain)}})
    return notes


def _logits(
    fig: go.Figure,
    pieces: Candidates,
    last: float,
    colours: list[str],
    palette: Palette,
    *,
    domain: tuple[float, float],
    limits: tuple[float, float],
    title: str,
) -> list[dict[str, Any]]:
    """Draws the panel of logits and gives back its numbers, as annotations."""
    low, mean, high = pieces.rest_logits
    rows = list(range(len(pieces.labels)))
    fig.add_bar(x=pieces.logits, y=rows, orientation="h", hoverinfo="skip", marker={"color": colours}, width=0.72)
    fig.add_scatter(x=[low, high], y=[last, last], mode="lines", line={"width": 8, "color": palette.quiet}, hoverinfo="skip")
    mark = {"symbol": "line-ns", "size": 26, "line": {"width": 4, "color": palette.quiet}}
    fig.add_scatter(x=[mean], y=[last], mode="markers", marker=mark, hoverinfo="skip")
    texts = [*(signed(float(z)) for z in pieces.logits), f"⌀ {signed(mean)}"]
    ticks = {"range": list(limits), "title": {"text": title}, "zeroline": True, "zerolinecolor": palette.quiet}
    fig.update_layout(xaxis={**_grid(palette), **ticks, "domain": list(domain)})
    return _numbers(last, texts, domain[1] + 0.11, palette.ink)


def _grid(palette: Palette) -> dict[str, Any]:
    return {
        "showgrid": True,
        "gridcolor": palette.line,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": FONT},
        "anchor": "y",
    }
