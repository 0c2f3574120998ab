"""Maps with texts in their cells: all heads of one attention, and the logit lens with a row for each decoder layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.figures.attention import Floats, click_cells, click_targets, frame, print_values
from viz_core.figures.base import clipped, figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, Rgb, css, mixed, readable, scale

ROW, REACH = 62, 90
"""Pixels of a row with two lines of text; and distance from a cell's centre within which a click means the cell."""
LINE = 8
"""Additional pixels of a row for each further line of text."""
SIDE = 0.95
"""Side of a cell as a share of its place; the rest is a gap."""
LONGEST = 14
"""Most letters in a line of a cell of the lens."""


def head_map(
    values: Floats,
    written: Sequence[Sequence[str]],
    hover: Sequence[Sequence[str]],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: tuple[int, int],
    limit: float = 0.0,
    colours: Sequence[Sequence[Rgb]] | None = None,
    palette: Palette = LIGHT,
) -> Figure:
    """A cell for each head, layers down and heads across; a click returns [layer, head].

    The cells are bars, since plotly shrinks a text to fit its cell only in bars.

    Args:
        values: (L, h), for the colour of a cell: shares in 0…1, or signed numbers if there is a limit.
        written, hover: texts of each cell, unescaped; a line break in `written` begins another line.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the current layer and head.
        limit: the end of the diverging scale; 0 for shares.
        colours: (L, h), in place of the colours of the values.
    """
    layer, head = highlighted
    scale_of, low = (palette.diverging, -limit) if limit else (palette.sequential, 0.0)
    shares = (values - low) / ((limit or 1.0) - low)
    grounds = [ground for row in colours or [[mixed(scale_of, float(share)) for share in row] for row in shares] for ground in row]
    rows, columns = np.indices(values.shape).reshape(2, -1)
    lines = [[*map(plain, text.split("\n"))] for row in written for text in row]
    fig = figure(palette, title=title, height=(ROW + LINE * max(0, max(map(len, lines)) - 2)) * len(values) + 106)
    fig.add_bar(
        x=columns, base=rows - SIDE / 2, y=[SIDE] * values.size, width=SIDE, customdata=values.ravel(), name="heads",
        marker_color=[css(ground) for ground in grounds], hoverinfo="skip",
        text=["<br>".join(text) for text in lines], textposition="inside", textangle=0, insidetextanchor="middle",
        constraintext="inside", insidetextfont_color=[readable(ground) for ground in grounds],
    )  # fmt: skip
    hovers = [[plain(text) for text in row] for row in hover]
    click_cells(fig, hovers)
    frame(fig, (head, head), (layer, layer), palette.accent, 4)
    say(fig, layer * values.shape[1] + head)
    down, across = ([str(index + 1) for index in range(count)] for count in values.shape)
    unticked: dict[str, Any] = {"ticks": "", "showline": False}
    fig.update_xaxes(**token_axis(across, plain(axes[1])), side="top", title_standoff=0, **unticked)
    fig.update_yaxes(**token_axis(down, plain(axes[0]), down=True), **unticked)
    fig.update_traces(showlegend=False)
    fig.update_layout(barmode="overlay", title_pad_t=0)
    return fig


def limit_of(values: Floats) -> float:
    """The end of a symmetric scale that holds all values, never 0."""
    return float(np.max(np.abs(values), initial=1e-9))


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
