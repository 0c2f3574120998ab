"""A map with texts in its cells: the logit lens, with a row for each decoder layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.figures.attention import click_targets, frame, print_values
from viz_core.figures.base import clipped, figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, scale

ROW, REACH = 62, 90
"""Pixels of a row with two lines of text; and distance from a cell's centre within which a click means the cell."""
LONGEST = 14
"""Most letters in a line of a cell of the lens."""


@dataclass(frozen=True)
class LensCell:
    """One cell of the lens.

    Attributes:
        lines: a token and its probability, or a probability and a rank, unescaped. An empty one takes no room.
        probability: in 0…1, for the colour; NaN if unknown.
        hover: unescaped.
        highlighted: whether the cell holds the word in question.
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
) -> Figure:
    """A row for each height of the decoder, from the embedding at the top to the last layer; a click on a row returns its layer.

    Args:
        rows: one cell for each height and column.
        heights: names of the rows: before the first layer, after each one.
        columns: names of the columns.
        axes: titles of rows and columns.
        highlighted: the current row.
        tall: pixels of a row.
    """
    values = np.array([[cell.probability for cell in row] for row in rows])
    lines = [[[clipped(line, LONGEST) for line in cell.lines if line] for cell in row] for row in rows]
    colours: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig = figure(palette, title=title, height=tall * len(values) + 130)
    fig.add_heatmap(z=np.nan_to_num(values), xgap=3, ygap=3, hoverinfo="skip", showscale=False, **colours)
    print_values(fig, values, [["<br>".join(map(plain, cell)) for cell in row] for row in lines], **colours)
    fig.update_xaxes(**token_axis(columns, plain(axes[1])), side="top", ticks="")
    fig.update_yaxes(**token_axis(heights, plain(axes[0]), down=True), ticks="")
    fig.update_yaxes(ticktext=[f"<b>{plain(name)}</b>" if i == highlighted else plain(name) for i, name in enumerate(heights)])
    places = [(row, column) for row in range(len(rows)) for column in range(len(columns))]
    hovers = [plain(rows[row][column].hover) for row, column in places]
    down, across = zip(*places, strict=True)
    click_targets(fig, across, down, [[max(row - 1, 0)] for row in down], hovers)
    for row, column in places:
        if rows[row][column].highlighted:
            frame(fig, (column, column), (row, row), palette.accent, 4)
    say(fig, *range(highlighted * len(columns), (highlighted + 1) * len(columns)))
    fig.update_layout(hoverdistance=REACH)
    return fig
