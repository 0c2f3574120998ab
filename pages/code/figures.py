"""Figures of the page on the code: the map of operations, costs over one dial, and two models step by step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import Floats, click_targets, thin_columns
from viz_core.figures.base import FONT, annotate, figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette

MAP_ROW, REACH = 44, 40
"""Pixels of a row; and from the middle of a box to where a click still means it."""
FEWEST = 12
"""A row is at least so many boxes wide, so that few of them are no banners."""


@dataclass(frozen=True)
class MapBox:
    """One box.

    Attributes:
        name: what stands in it.
        at: index of the call that a click goes to.
        hover: plain text.
        role: `q`, `k`, `v`, `output`, or none.
        highlighted: whether one stands here.
    """

    name: str
    at: int
    hover: str
    role: str = ""
    highlighted: bool = False


def call_map(
    parts: Sequence[MapBox], rows: Sequence[tuple[str, Sequence[MapBox]]], *, names: tuple[str, str], palette: Palette = LIGHT
) -> go.Figure:
    """Boxes in the order of computing; a click on one hands back the index of its call.

    Args:
        parts: source, each layer, memory, target, …: the first row, over the whole width.
        rows: name and calls of each sub-layer of the part that is highlighted.
        names: of the first row, and of a row without a name.
    """
    lines = [(names[0], parts), *((name or names[1], boxes) for name, boxes in rows)]
    fig = figure(palette, height=MAP_ROW * len(lines) + 2)
    notes, told, targets = [], [], []
    for line, (_, boxes) in enumerate(lines):
        y = line + 0.15 * (line > 0)
        size = 1 / max(len(boxes), FEWEST)
        for column, box in enumerate(boxes):
            left = column * size
            ink = palette.role_text(box.role) if box.role else palette.ink
            edge = {"color": palette.accent if box.highlighted else palette.line, "width": 4 if box.highlighted else 1}
            fill = palette.words[5] if box.highlighted else palette.panel
            sides = {"x0": left + 0.003, "x1": left + size - 0.003}
            fig.add_shape(type="rect", **sides, y0=y - 0.4, y1=y + 0.4, line=edge, fillcolor=fill, layer="below")
            text = f"<b>{plain(box.name)}</b>" if box.highlighted else plain(box.name)
            notes.append({"x": left + size / 2, "y": y, "text": text, "showarrow": False, "font": {"size": FONT - 1, "color": ink}})
            targets.append((left + size / 2, y, box.at, plain(box.hover)))
            told += [plain(box.hover)] * box.highlighted
    annotate(fig, notes)
    x, ys, at, hover = zip(*targets, strict=True)
    click_targets(fig, x, ys, [[index] for index in at], list(hover))
    places = [line + 0.15 * (line > 0) for line in range(len(lines))]
    fig.update_xaxes(visible=False, range=[0, 1])
    fig.update_yaxes(
        tickvals=places, ticktext=[plain(name) for name, _ in lines], ticks="", showline=False, range=[places[-1] + 0.5, -0.5]
    )
    say(fig, *told)
    fig.update_layout(hoverdistance=REACH, margin={"t": 4, "b": 2})
    return fig


DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class CostCurve:
    """One line: its name, its values, what each point says, and its role or none."""

    name: str
    values: Sequence[float]
    hover: Sequence[str]
    role: str = ""


def growth(
    x: Sequence[float],
    curves: Sequence[CostCurve],
    *,
    title: str,
    axes: tuple[str, str],
    here: tuple[float, str],
    mark: tuple[float, float, str] | None = None,
    log: bool = False,
    palette: Palette = LIGHT,
) -> go.Figure:
    """Costs upwards, the dial to the right.

    Args:
        axes: titles of x and y.
        here: where the model on display stands, and what is written there.
        mark: a point (x, y) and what is written at it, such as a crossing.
        log: both axes by powers of ten.
    """
    fig = figure(palette, title=title, height=470)
    for curve, dash in zip(curves, DASHES, strict=False):
        line = {"color": palette.role(curve.role) if curve.role else palette.accent, "width": 4, "dash": dash}
        fig.add_scatter(
            x=list(x), y=list(curve.values), mode="lines+markers", name=plain(curve.name), line=line, marker={"size": 7},
            hovertext=[plain(text) for text in curve.hover], hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    fig.add_vline(x=here[0], line={"color": palette.quiet, "width": 2, "dash": "dot"})
    notes = [(here[0], 1.0, here[1], "paper")] + ([(mark[0], mark[1], mark[2], "y")] if mark else [])
    for at, y, text, yref in notes:
        place = {"x": _on(at, log), "y": y, "yref": yref, "font": {"size": FONT, "color": palette.ink}}
        if yref == "y":
            place |= {
                "y": _on(y, log),
                "showarrow": True,
                "ax": -20,
                "ay": -60,
                "arrowcolor": palette.quiet,
                "arrowwidth": 2,
                "xanchor": "right",
            }
            place |= {"bgcolor": palette.panel, "bordercolor": palette.line, "borderpad": 4}
        else:
            place |= {"showarrow": False, "xanchor": "left", "xshift": 6, "yanchor": "top", "bgcolor": palette.panel}
        fig.add_annotation(text=plain(text), **place)
    kind = "log" if log else "linear"
    ticks = {"showgrid": True, "gridcolor": palette.line, "type": kind} | ({"dtick": 1} if log else {"rangemode": "tozero"})
    fig.update_xaxes(title=plain(axes[0]), **ticks, tickformat=",d")
    fig.update_yaxes(title=plain(axes[1]), **ticks, tickformat="~s" if not log else None, exponentformat="power")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
    fig.update_layout(showlegend=True, legend=legend)
    say(fig, plain(here[1]), *([plain(mark[2])] if mark else []))
    return fig


def _on(value: float, log: bool) -> float:
    """Where an annotation goes: plotly counts powers on an axis of powers."""
    return math.log10(value) if log else value


def steps_beside(
    labels: Sequence[str],
    pairs: tuple[Floats, Floats],
    *,
    names: tuple[str, str],
    line: tuple[float, str],
    hover: Sequence[str],
    title: str,
    axes: tuple[str, str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> go.Figure:
    """Two bars for each step; a click on a step hands back its index.

    Args:
        pairs: (T,) each.
        names: of the two, for the legend.
        line: a value, and what is written at it.
        hover: of each step, as plain text.
        axes: titles of the steps and of the values.
        highlighted: the current step.
    """
    fig = figure(palette, title=title, height=430)
    n = len(labels)
    looks = ((palette.accent, ""), (palette.quiet, "/"))
    for name, values, (colour, pattern) in zip(names, pairs, looks, strict=True):
        marker = {"color": colour, "line": {"width": 0}}
        marker |= {"pattern": {"shape": pattern, "fgcolor": palette.surface, "size": 8, "fillmode": "overlay"}}
        fig.add_bar(x=list(range(n)), y=values, name=plain(name), hoverinfo="skip", marker=marker)
    fig.add_hline(y=line[0], line={"color": palette.k_text, "width": 3, "dash": "dash"})
    at = {"x": 1, "xref": "paper", "xanchor": "right", "y": line[0], "yanchor": "bottom", "showarrow": False}
    fig.add_annotation(text=plain(line[1]), font={"size": FONT, "color": palette.k_text}, **at)
    highest = max(line[0], *(float(values.max()) for values in pairs))
    told = [plain(text) for text in hover]
    click_targets(fig, list(range(n)), [highest / 2] * n, [[i] for i in range(n)], told)
    fig.data[-1].showlegend = False
    fig.update_xaxes(
        **token_axis(labels, axes[0], highlighted, palette.accent, thin=thin_columns(n)), tickangle=-40 if n > 10 else 0
    )
    fig.update_yaxes(title={"text": plain(axes[1])}, range=[0, 1.14 * highest], showgrid=True, gridcolor=palette.line)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
    fig.update_layout(barmode="group", bargap=0.25, showlegend=True, legend=legend, hoverdistance=120, hovermode="closest")
    say(fig, told[highlighted], plain(line[1]))
    return fig
