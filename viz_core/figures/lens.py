"""The logit lens as a coloured table: for each layer of the decoder its top token, and the token in question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import click_targets, frame, print_values
from viz_core.figures.base import figure, plain, say
from viz_core.figures.palette import LIGHT, Palette, scale

ROW, REACH = 62, 90
"""Pixels of a row, two lines of text; and from the middle of a cell to where a click still means it."""
LONGEST = 14
"""Letters of a line of a cell."""


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
    """A row for each height, the way through the decoder from above to below; a click on a row hands back its layer.

    Args:
        rows: for each height one cell for each column.
        heights: names of the rows: before the first layer, after each one.
        columns: names of the columns.
        axes: titles of rows and columns.
        highlighted: the row on display.
        tall: px of a row.
    """
    values = np.array([[cell.probability for cell in row] for row in rows])
    fig = figure(palette, title=title, height=tall * len(rows) + 130)
    colours: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig.add_heatmap(z=np.nan_to_num(values), xgap=3, ygap=3, hoverinfo="skip", showscale=False, **colours)
    texts = [["<br>".join(plain(_short(line)) for line in cell.lines if line) for cell in row] for row in rows]
    print_values(fig, values, texts, **colours)
    places = [(row, column) for row in range(len(rows)) for column in range(len(columns))]
    told = [plain(rows[row][column].hover) for row, column in places]
    layers = [[max(row - 1, 0)] for row, _ in places]
    click_targets(fig, [column for _, column in places], [row for row, _ in places], layers, told)
    fig.update_xaxes(
        tickvals=list(range(len(columns))), ticktext=[plain(name) for name in columns], title=plain(axes[1]), side="top", ticks="",
        range=[-0.5, len(columns) - 0.5],
    )  # fmt: skip
    bold = [f"<b>{plain(name)}</b>" if row == highlighted else plain(name) for row, name in enumerate(heights)]
    fig.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=bold,
        title={"text": plain(axes[0]), "standoff": 16},
        ticks="",
        range=[len(rows) - 0.5, -0.5],
    )
    for row, column in places:
        if rows[row][column].highlighted:
            frame(fig, (column, column), (row, row), palette.accent, 4)
    say(fig, *(told[highlighted * len(columns) + column] for column in range(len(columns))))
    fig.update_layout(hoverdistance=REACH)
    return fig


def _short(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
