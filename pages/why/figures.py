"""Figures of one output word: a sum term by term, and lines between two sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.figures.attention import click_targets, signed
from viz_core.figures.base import FONT, clipped, figure, plain, say
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


ROW = 34
"""The height of a row, one word high, in pixels."""
WIDEST = 14.0
"""The width of the thickest line in pixels."""
LETTERS = 20
"""How many letters of a word are shown."""
BESIDE = 1.15
"""Where a click on a word on the right lands; the lines end at 1."""


@dataclass(frozen=True)
class WordLine:
    """A line from a word on the left to one on the right: its thickness, as a share of the thickest, and its hover text."""

    left: int
    right: int
    share: float
    hover: str


def word_lines(
    left: Sequence[str], right: Sequence[str], lines: Sequence[WordLine], *, title: str, names: tuple[str, str],
    highlighted: int | None, data: Sequence[int], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Lines between words; a click on a line, or on a word on the right, carries that word's number in `data`.

    The lines and the highlighted word change different properties, so that the browser can combine any two of their states.

    Args:
        lines: at most one for each word on the right.
        names: the titles of the two sides.
        highlighted: the word on the right whose line is emphasized.
        data: for each word on the right, what a click on it carries.
    """
    rows, by_right = max(len(left), len(right), 1), {line.right: line for line in lines}
    fig = figure(palette, title=title, height=ROW * rows + 130)
    middles, hovers, marks = [], [], []
    for row, word in enumerate(right):
        line, mine = by_right.get(row), row == highlighted
        start, share = (line.left, line.share) if line else (0, 0.0)
        fig.add_scatter(
            x=[0, 1], y=[start, row], mode="lines", hoverinfo="skip", opacity=1.0 if mine else 0.5, zorder=int(mine),
            line={"color": palette.weight if mine else palette.quiet, "width": max(1.5, round(WIDEST * share, 2))},
            visible=line is not None,
        )  # fmt: skip
        middles.append((0.5, (start + row) / 2) if line else (BESIDE, row))
        hovers.append(plain(line.hover if line else word))
        marks.append({**_word(left[start] if line else "", -0.03, start, "right", palette, True), "visible": mine})
    click_targets(fig, [BESIDE] * len(right), list(range(len(right))), [[value] for value in data], [plain(word) for word in right])
    click_targets(fig, [x for x, _ in middles], [y for _, y in middles], [[value] for value in data], hovers)
    notes = [_word(word, -0.03, row, "right", palette, False) for row, word in enumerate(left)]
    notes += [_word(word, 1.03, row, "left", palette, row == highlighted) for row, word in enumerate(right)]
    notes += [
        _word(name, x, -1, anchor, palette, False) for name, x, anchor in zip(names, (-0.03, 1.03), ("right", "left"), strict=True)
    ]
    # The word at the other end of the highlighted line again, over itself (`browser/plot/plot.ts`).
    fig.add_annotations([*notes, *marks])
    fig.update_layout(hoverdistance=40)
    fig.update_xaxes(visible=False, range=[-0.75, 1.75])
    fig.update_yaxes(visible=False, range=[rows - 0.4, -1.6])
    say(fig, *sorted(range(len(right)), key=lambda row: row != highlighted))
    return fig


def _word(word: str, x: float, y: float, anchor: str, palette: Palette, highlighted: bool) -> dict[str, object]:
    """A word at the end of its lines; the titles of the sides, in row −1, are quiet."""
    text = plain(clipped(word, LETTERS))
    colour = palette.accent if highlighted else palette.quiet if y < 0 else palette.ink
    return {
        "text": f"<b>{text}</b>" if highlighted else text, "x": x, "y": y, "xanchor": anchor,
        "font": {"size": FONT + 2 * highlighted, "color": colour}, "captureevents": False,
    }  # fmt: skip
