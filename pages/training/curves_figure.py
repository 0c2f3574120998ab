"""Curves over training steps, one chart above the other, on one axis of steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

DASHES = ("solid", "dash", "dot")
GAP = 0.1
"""Of the height, between two charts."""


@dataclass(frozen=True)
class Curve:
    """One line: what it is called, its points, and what each says as plain text.

    Attributes:
        role: the colour of `q`, `k`, `v` or `output`; none is the accent.
        dots: whether its points are marked: few, measured now and then.
        faint: for comparison, behind the others.
        label: written at its end.
    """

    name: str
    steps: Sequence[float]
    values: Sequence[float]
    said: Sequence[str]
    role: str = ""
    dash: int = 0
    dots: bool = False
    faint: bool = False
    label: str = ""


@dataclass(frozen=True)
class Chart:
    """One chart: its upright axis, its curves, and levels to compare them with, (height, what it is)."""

    axis: str
    curves: Sequence[Curve]
    range: tuple[float, float]
    levels: Sequence[tuple[float, str]] = ()
    format: str = ""


def charts(
    drawn: Sequence[Chart],
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
    """All charts, the first on top.

    Args:
        axis: title of the axis of steps.   span: its ends.
        at: the step on display, a line through all charts.
        legend: whether the curves are named above; a name that several have stands there once.
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
                hovertext=[plain(text) for text in curve.said], hovertemplate="%{hovertext}<extra></extra>",
                mode="lines+markers" if curve.dots else "lines",
                line={"color": colour, "width": 3, "dash": DASHES[curve.dash]}, marker={"size": 7},
                opacity=0.6 if curve.faint else 1, showlegend=curve.name not in named,
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
    say(fig, *(plain(curve.said[-1]) for chart in drawn for curve in chart.curves if curve.said))
    return fig
