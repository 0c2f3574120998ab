"""Figures of training: curves over the steps, attention maps of the example, the target distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import Floats, attention_heatmap, click_targets, frame
from viz_core.figures.base import FONT, figure, percent, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette, scale

DASHES = ("solid", "dash", "dot")
GAP = 0.1
"""Between two charts, as a share of the height."""


@dataclass(frozen=True)
class TrainingCurve:
    """One line of a chart: its name, its points, and the hover text of each.

    Attributes:
        role: the colour of `q`, `k`, `v` or `output`; none is the accent.
        dots: whether its points, few and far between, are marked.
        faint: drawn behind the others, for comparison.
        label: written at its end.
    """

    name: str
    steps: Sequence[float]
    values: Sequence[float]
    hover: Sequence[str]
    role: str = ""
    dash: int = 0
    dots: bool = False
    faint: bool = False
    label: str = ""


@dataclass(frozen=True)
class CurveChart:
    """One chart: the title of its vertical axis, its curves, and levels to compare them with, (height, label)."""

    axis: str
    curves: Sequence[TrainingCurve]
    range: tuple[float, float]
    levels: Sequence[tuple[float, str]] = ()
    format: str = ""


def curve_charts(
    drawn: Sequence[CurveChart],
    *,
    title: str,
    axis: str,
    span: tuple[float, float],
    at: float | None = None,
    height: int = 405,
    legend: bool = False,
    format: str = ",d",
    palette: Palette = LIGHT,
) -> go.Figure:
    """Charts over one axis of training steps, the first on top.

    Args:
        axis: title of the axis of steps.   span: its ends.
        at: the step on display, marked by a line through all charts.
        legend: whether the curves are named above; a name that several share appears once.
        format: of the numbers on the axis of steps.
    """
    fig = figure(palette, title=title, height=height)
    named: set[str] = set()
    part = (1 - GAP * (len(drawn) - 1)) / len(drawn)
    for number, chart in enumerate(drawn):
        name = f"y{number + 1}" if number else "y"
        top = 1 - number * (part + GAP)
        for curve in chart.curves:
            colour = palette.role(curve.role) if curve.role else palette.accent
            fig.add_scatter(
                x=list(curve.steps), y=list(curve.values), yaxis=name, name=plain(curve.name),
                hovertext=[plain(text) for text in curve.hover], hovertemplate="%{hovertext}<extra></extra>",
                mode="lines+markers" if curve.dots else "lines",
                line={"color": colour, "width": 3, "dash": DASHES[curve.dash]}, marker={"size": 7},
                opacity=0.6 if curve.faint else 1, cliponaxis=not curve.dots, showlegend=curve.name not in named,
            )  # fmt: skip
            named.add(curve.name)
            if curve.label and curve.steps:
                at_last = {"x": curve.steps[-1], "xanchor": "right", "yref": name, "y": curve.values[-1], "yanchor": "top"}
                ink = palette.role_text(curve.role) if curve.role else palette.ink
                fig.add_annotation(text=plain(curve.label), showarrow=False, font={"size": FONT, "color": ink}, **at_last)
        look: dict[str, Any] = {"title": plain(chart.axis), "range": list(chart.range), "anchor": "x"}
        look |= {"domain": [max(0.0, top - part), top]}
        look |= {"tickformat": chart.format or None, "showgrid": True, "gridcolor": palette.line, "zeroline": False}
        look |= {"fixedrange": True, "automargin": True, "linecolor": palette.line, "nticks": 5}
        fig.update_layout({f"yaxis{number + 1}" if number else "yaxis": look})
        for value, said in chart.levels:
            rule = {"color": palette.quiet, "width": 2, "dash": "dot"}
            fig.add_shape(type="line", xref="paper", x0=0, x1=1, yref=name, y0=value, y1=value, line=rule)
            at_end = {"xref": "paper", "x": 1, "xanchor": "right", "yref": name, "y": value, "yanchor": "bottom"}
            fig.add_annotation(text=plain(said), showarrow=False, font={"size": FONT, "color": palette.quiet}, **at_end)
    if at is not None:
        line = {"color": palette.accent, "width": 2}
        fig.add_shape(type="line", x0=at, x1=at, yref="paper", y0=0, y1=1, line=line)
    last = f"y{len(drawn)}" if len(drawn) > 1 else "y"
    fig.update_xaxes(title=plain(axis), range=list(span), anchor=last, tickformat=format, nticks=6)
    fig.update_xaxes(showgrid=True, gridcolor=palette.line)
    if legend:
        place = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
        fig.update_layout(showlegend=True, legend=place)
    say(fig, *(plain(curve.hover[-1]) for chart in drawn for curve in chart.curves if curve.hover))
    return fig


MAP_GAP = 1
"""Empty cells between two maps."""


def example_map(
    weights: Floats, queries: Sequence[str], keys: Sequence[str], right: Sequence[int], *,
    title: str, where: str, axes: tuple[str, str], height: int, cost: Floats | None = None, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """Attention of one head on the example, the answers framed.

    Args:
        right: of each of the first rows the column of the answer, framed.
        cost: (Tq, Tk), the penalty W of guided attention, drawn as lines over the cells.
    """
    fig = attention_heatmap(weights, queries, keys, title=title, where=where, axes=axes, palette=palette)
    for row, column in enumerate(right):
        frame(fig, (column, column), (row, row), palette.output, 3)
    if cost is not None:
        penalty_lines(fig, cost, palette)
    fig.data[0].showscale = False  # each cell has its number
    fig.update_layout(height=height)
    return fig


def all_maps(
    weights: Floats, queries: Sequence[str], keys: Sequence[str], *,
    title: str, names: Sequence[Sequence[str]], axes: tuple[str, str], height: int, first: int = 0, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """All heads as small maps: layers down, heads across; in each, rows are queries and columns are keys.

    Args:
        weights: (L, h, Tq, Tk).
        names: of each layer's heads, written over its map.
        axes: titles of rows and columns.
        first: a click on the first head hands back [first], on the next one [first + 1], layer by layer.
    """
    layers, heads, rows, columns = weights.shape
    high, wide = rows + MAP_GAP + 1, columns + MAP_GAP  # one row more for the name
    tiled = np.full((layers * high, heads * wide - MAP_GAP), np.nan)
    said = np.full(tiled.shape, "", dtype=object)
    fig = figure(palette, title=title, height=height)
    notes, places = [], []
    for layer in range(layers):
        for head in range(heads):
            top, left = layer * high + 1, head * wide
            tiled[top : top + rows, left : left + columns] = weights[layer, head]
            for i, query in enumerate(queries):
                for j, key in enumerate(keys):
                    share = percent(float(weights[layer, head, i, j]))
                    places.append((left + j, top + i, layer * heads + head))
                    said[top + i, left + j] = plain(f"{names[layer][head]}: {axes[0]} {query}, {axes[1]} {key}: {share}")
            size = FONT if heads <= 4 else 14
            at = {"x": left - 0.5, "y": top - 0.6, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
            notes.append({"text": plain(names[layer][head]), "font": {"size": size, "color": palette.ink}, **at})
            edge = {"type": "rect", "line": {"color": palette.line, "width": 1}}
            fig.add_shape(x0=left - 0.5, x1=left + columns - 0.5, y0=top - 0.5, y1=top + rows - 0.5, **edge)
    fig.add_heatmap(
        z=tiled, colorscale=scale(palette.sequential), zmin=0, zmax=1, hoverinfo="skip",
        colorbar={"thickness": 14, "outlinewidth": 0, "tickformat": ".0%"},
    )  # fmt: skip
    across, down, heads_of = zip(*places, strict=True)
    hover = [str(said[y, x]) for x, y in zip(across, down, strict=True)]
    click_targets(fig, across, down, [[first + which] for which in heads_of], hover)
    fig.data[-1].marker.size = 16
    fig.update_layout(annotations=notes)
    bare = {"showticklabels": False, "ticks": "", "showline": False}
    fig.update_xaxes(title={"text": plain(axes[1]), "standoff": 14}, range=[-0.5, tiled.shape[1] - 0.5], side="top", **bare)
    fig.update_yaxes(title=plain(axes[0]), range=[tiled.shape[0] - 0.5, -0.5], **bare)
    say(fig, *(name for line in names for name in line))
    return fig


HALF = 0.5
"""The penalty W on the lines."""


def penalty_lines(fig: go.Figure, cost: Floats, palette: Palette, xaxis: str = "x") -> None:
    """A dashed line on each side of the diagonal, where the penalty is one half. cost: (Tq, Tk), W."""
    fig.add_contour(
        z=cost, xaxis=xaxis, contours={"start": HALF, "end": HALF, "size": 1, "coloring": "none"}, hoverinfo="skip",
        line={"color": palette.output_text, "width": 3, "dash": "dash", "smoothing": 0}, showscale=False,
    )  # fmt: skip


def target_bars(
    labels: Sequence[str], target: Floats, model: Floats, hover: Sequence[tuple[str, str]], *,
    title: str, names: tuple[str, str], axes: tuple[str, str], highlighted: int, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """The target distribution beside the model's, on a logarithmic axis, on which ε / V can be seen.

    Args:
        target, model: probabilities; 0 has no bar.
        hover: of each token, the texts of its two bars.
        names: of the two.   axes: titles of tokens and probability.
        highlighted: the correct token.
    """
    fig = figure(palette, title=title, height=405)
    for which, (name, values, colour) in enumerate(((names[0], target, palette.output), (names[1], model, palette.accent))):
        fig.add_bar(
            x=list(range(len(labels))), y=[float(value) if value > 0 else None for value in values], name=plain(name),
            marker={"color": colour, "line": {"width": 0}}, hovertext=[plain(pair[which]) for pair in hover],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    fig.update_xaxes(
        **token_axis(labels, axes[0], highlighted, palette.output_text), tickangle=-40 if sum(map(len, labels)) > 55 else 0
    )
    fig.update_yaxes(title=plain(axes[1]), type="log", range=[-8, 0.1], dtick=2, showgrid=True, gridcolor=palette.line)
    fig.update_yaxes(exponentformat="power")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
    fig.update_layout(barmode="group", bargap=0.25, showlegend=True, legend=legend)
    say(fig, *(plain(text) for text in hover[highlighted]))
    return fig
