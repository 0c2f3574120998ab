"""Maps with words in their cells: all heads of one attention, and the logit lens with a row for each layer of the decoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import Floats, click_cells, click_targets, frame, print_values
from viz_core.figures.base import clipped, figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette, scale

ROW, REACH = 62, 90
"""Pixels of a row, two lines of text; and from the middle of a cell to where a click still means it."""
LONGEST = 14
"""Letters of a line of a cell of the lens."""


def head_map(
    values: Floats,
    written: Sequence[Sequence[str]],
    hover: Sequence[Sequence[str]],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: tuple[int, int],
    limit: float = 0.0,
    palette: Palette = LIGHT,
) -> go.Figure:
    """A cell for each head, layers down and heads across; a click hands back [layer, head].

    Args:
        values: (L, h), what colours a cell: shares in 0…1, or with a limit signed numbers.
        written, hover: of each cell, as plain text; a line break in `written` begins another line.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the layer and head on display.
        limit: the end of the diverging scale; 0 for shares.
    """
    layer, head = highlighted
    colours = {"colorscale": scale(palette.diverging if limit else palette.sequential), "zmin": -limit, "zmax": limit or 1.0}
    names = [[str(index + 1) for index in range(count)] for count in values.shape]
    fig = _cells(values, [[text.split("\n") for text in row] for row in written], names, axes, title, ROW, palette, colours)
    hovers = [[plain(text) for text in row] for row in hover]
    click_cells(fig, hovers)
    frame(fig, (head, head), (layer, layer), palette.accent, 4)
    say(fig, hovers[layer][head])
    return fig


def limit_of(values: Floats) -> float:
    """The end of a scale that holds all of these, never 0."""
    return float(np.max(np.abs(values), initial=1e-9))


@dataclass(frozen=True)
class LensCell:
    """One cell: two lines, what colours it, and what it says.

    Attributes:
        lines: a token and its probability, or a probability and a rank; as plain text. An empty one takes no room.
        probability: in 0…1; NaN where it is not known.
        hover: plain text.
        highlighted: whether it is the word in question that stands here.
    """

    lines: tuple[str, str]
    probability: float
    hover: str
    highlighted: bool = False


def lens_map(
    rows: Sequence[Sequence[LensCell]],
    heights: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: int,
    tall: int = ROW,
    palette: Palette = LIGHT,
) -> go.Figure:
    """A row for each height of the decoder, from the embedding at the top to the last layer; a click on a row hands back its layer.

    Args:
        rows: for each height one cell for each column.
        heights: names of the rows: before the first layer, after each one.
        columns: names of the columns.
        axes: titles of rows and columns.
        highlighted: the row on display.
        tall: px of a row.
    """
    values = np.array([[cell.probability for cell in row] for row in rows])
    lines = [[[clipped(line, LONGEST) for line in cell.lines if line] for cell in row] for row in rows]
    colours = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig = _cells(values, lines, (heights, columns), axes, title, tall, palette, colours)
    fig.update_yaxes(ticktext=[f"<b>{plain(name)}</b>" if at == highlighted else plain(name) for at, name in enumerate(heights)])
    places = [(row, column) for row in range(len(rows)) for column in range(len(columns))]
    hovers = [plain(rows[row][column].hover) for row, column in places]
    down, across = zip(*places, strict=True)
    click_targets(fig, across, down, [[max(row - 1, 0)] for row in down], hovers)
    for row, column in places:
        if rows[row][column].highlighted:
            frame(fig, (column, column), (row, row), palette.accent, 4)
    say(fig, *(plain(cell.hover) for cell in rows[highlighted]))
    fig.update_layout(hoverdistance=REACH)
    return fig


def _cells(
    values: Floats, lines: Sequence[Sequence[Sequence[str]]], names: Sequence[Sequence[str]], axes: tuple[str, str], title: str,
    tall: int, palette: Palette, colours: dict[str, Any],
) -> go.Figure:  # fmt: skip
    """Cells with lines of text in them, under the names of their columns."""
    fig = figure(palette, title=title, height=tall * len(values) + 130)
    fig.add_heatmap(z=np.nan_to_num(values), xgap=3, ygap=3, hoverinfo="skip", showscale=False, **colours)
    print_values(fig, values, [["<br>".join(map(plain, cell)) for cell in row] for row in lines], **colours)
    fig.update_xaxes(**token_axis(names[1], plain(axes[1])), side="top", ticks="")
    fig.update_yaxes(**token_axis(names[0], plain(axes[0]), down=True), ticks="")
    return fig
