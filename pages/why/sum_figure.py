"""A sum as bars: each summand starts where the one above it ended, and the last bar is what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import click_targets, signed
from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

ROW, REACH = 29, 90
"""Pixels of a row; and from the middle of a bar to where a click still means it."""


@dataclass(frozen=True)
class Summand:
    """One bar: its name, its value, and the layer it belongs to, from 0; None without one."""

    name: str
    value: float
    layer: int | None = None


def sum_bars(
    summands: Sequence[Summand], total: Summand, *, title: str, axes: tuple[str, str], layer: int, palette: Palette = LIGHT
) -> go.Figure:
    """Horizontal bars from above to below; a click on one hands back its layer.

    Args:
        total: what the sum is called, and what it comes to.
        axes: titles of the rows and of the values.
        layer: the one on display: its names are bold.
    """
    values = np.array([each.value for each in summands])
    ends = np.cumsum(values)
    starts, rows = ends - values, [*summands, total]
    fig = figure(palette, title=title, height=ROW * len(rows) + 150)
    up, down = palette.diverging[-2], palette.diverging[1]
    colours = [*(up if value >= 0 else down for value in values), palette.accent]
    fig.add_bar(
        x=[*values, total.value], base=[*starts, 0.0], y=list(range(len(rows))), orientation="h", hoverinfo="skip", width=0.74,
        marker={"color": colours, "line": {"width": 0}},
    )  # fmt: skip
    for row, end in enumerate(ends):  # a thread from each end to the next start
        fig.add_shape(type="line", x0=end, x1=end, y0=row - 0.37, y1=row + 1.37, line={"color": palette.quiet, "width": 1})
    right = [*np.maximum(starts, ends), max(total.value, 0.0)]
    written = [signed(each.value) if row == len(summands) else _plus(each.value) for row, each in enumerate(rows)]
    told = [f"{plain(each.name)}: {text}" for each, text in zip(rows, written, strict=True)]
    fig.add_scatter(
        x=right, y=list(range(len(rows))), mode="text", text=[f" {text}" for text in written], textposition="middle right",
        textfont={"size": FONT, "color": palette.ink}, hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    mine = [row for row, each in enumerate(rows) if each.layer is not None]
    middle = [*(starts + values / 2), total.value / 2]
    click_targets(fig, [middle[row] for row in mine], mine, [[rows[row].layer or 0] for row in mine], [told[row] for row in mine])
    low, high = min(0.0, ends.min(initial=0.0), total.value), max(0.0, starts.max(initial=0.0), ends.max(initial=0.0), total.value)
    span = max(high - low, 1e-9)
    fig.update_xaxes(
        title=plain(axes[1]), range=[low - 0.03 * span, high + 0.14 * span], showgrid=True, gridcolor=palette.line,
        zeroline=True, zerolinecolor=palette.quiet,
    )  # fmt: skip
    highlighted = [each.layer == layer or row == len(summands) for row, each in enumerate(rows)]
    names = [f"<b>{plain(each.name)}</b>" if bold else plain(each.name) for each, bold in zip(rows, highlighted, strict=True)]
    fig.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=names,
        title={"text": plain(axes[0]), "standoff": 16},
        range=[len(rows) - 0.4, -0.6],
        ticks="",
    )
    fig.update_layout(hoverdistance=REACH)
    say(fig, *told)
    return fig


def _plus(value: float) -> str:
    return f"+{signed(value)}" if value > 0 else signed(value)
