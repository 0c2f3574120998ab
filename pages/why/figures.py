"""The figure of one output word: a sum term by term."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.figures.attention import click_targets, signed
from viz_core.figures.base import figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import named

SUM_ROW, REACH = 29, 90
"""The height of a row, and how far from the middle of a bar a click still counts, in pixels."""


@dataclass(frozen=True)
class Summand:
    """One bar: its name, its value, and its layer, from 0, if it has one."""

    name: str
    value: float
    layer: int | None = None


def sum_bars(
    summands: Sequence[Summand], total: Summand, *, title: str, axes: tuple[str, str], layer: int, palette: Palette = LIGHT
) -> Figure:
    """Horizontal bars, each of which begins where the one above ends; a click on a bar carries its layer.

    Args:
        total: the name of the sum, and its value.
        axes: the titles of the rows and of the values.
        layer: the layer on display, whose names are bold.
    """
    values = np.array([summand.value for summand in summands])
    ends = np.cumsum(values)
    starts, rows = ends - values, [*summands, total]
    fig = figure(palette, title=title, height=SUM_ROW * len(rows) + 150)
    up, down = palette.diverging[-2], palette.diverging[1]
    colours = [*(up if value >= 0 else down for value in values), palette.accent]
    fig.add_bar(
        x=np.array([*values, total.value]), base=np.array([*starts, 0.0]), y=list(range(len(rows))), orientation="h",
        hoverinfo="skip", width=0.74, marker={"color": colours, "line": {"width": 0}},
    )  # fmt: skip
    fig.add_scatter(  # a thin line from each end to the next start
        x=np.repeat(ends, 3), y=[y for row in range(len(ends)) for y in (row - 0.37, row + 1.37, None)], mode="lines",
        hoverinfo="skip", line={"color": palette.quiet, "width": 1},
    )  # fmt: skip
    right = np.array([*np.maximum(starts, ends), max(total.value, 0.0)])
    written = [signed(bar.value) if row == len(summands) else _plus(bar.value) for row, bar in enumerate(rows)]
    hovers = [named(plain(bar.name), text) for bar, text in zip(rows, written, strict=True)]
    fig.add_scatter(
        x=right, y=list(range(len(rows))), mode="text", text=[f" {text}" for text in written], textposition="middle right",
        hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    clickable = [row for row, bar in enumerate(rows) if bar.layer is not None]
    middle = [*(starts + values / 2), total.value / 2]
    layers, texts = [[rows[row].layer or 0] for row in clickable], [hovers[row] for row in clickable]
    click_targets(fig, [middle[row] for row in clickable], clickable, layers, texts)
    low, high = min(0.0, ends.min(initial=0.0), total.value), max(0.0, starts.max(initial=0.0), ends.max(initial=0.0), total.value)
    span = max(high - low, 1e-9)
    fig.update_xaxes(title=plain(axes[1]), range=[low - 0.03 * span, high + 0.14 * span], showgrid=True, zeroline=True)
    highlighted = [bar.layer == layer or row == len(summands) for row, bar in enumerate(rows)]
    names = [f"<b>{plain(bar.name)}</b>" if bold else plain(bar.name) for bar, bold in zip(rows, highlighted, strict=True)]
    fig.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=names, title={"text": plain(axes[0]), "standoff": 16},
        range=[len(rows) - 0.4, -0.6], ticks="",
    )  # fmt: skip
    fig.update_layout(hoverdistance=REACH)
    say(fig, *(clickable.index(row) if row in clickable else hover for row, hover in enumerate(hovers)))
    return fig


def _plus(value: float) -> str:
    return f"+{signed(value)}" if value > 0 else signed(value)
