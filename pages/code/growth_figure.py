"""How costs grow: lines over one dial, with a mark where the model on display stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class Curve:
    """One line: its name, its values, what each point says, and its role or none."""

    name: str
    values: Sequence[float]
    hover: Sequence[str]
    role: str = ""


def growth(
    x: Sequence[float],
    curves: Sequence[Curve],
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
