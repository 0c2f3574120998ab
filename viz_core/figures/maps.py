"""Heatmaps of queries × keys: one, or two side by side with the same rows and columns, each on its own scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.figures.attention import (
    CLICKABLE,
    PRINTED,
    Floats,
    cell_height,
    click_cells,
    frame,
    print_values,
    thin_columns,
    thin_rows,
)
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, scale

SIDE_BY_SIDE = 10
"""The most columns with which each cell of two maps has room for its number."""
ABOVE, PRESSED = 190, 385
"""Pixels of title, axes and labels above the cells; and of all rows together, at most, where the figure is to be pressed."""
LOW = 28
"""Pixels of a row that has room for its label and its numbers, where the figure is squeezed to end above the bar."""
GAP = 0.11
"""Of the width, between two maps: for the scale of the first."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One map.

    Attributes:
        values: (Tq, Tk); NaN where the mask forbids, drawn grey.
        name: stands over it.
        written, hovers: of each cell, as plain text: in it, while there is room, and when one points at it.
        limit: the end of its scale, which begins at 0.
        end: what is written at the end of the scale.
        signed: whether the scale begins at −limit instead, with 0 in its middle.
    """

    values: Floats
    name: str
    written: Sequence[Sequence[str]]
    hovers: Sequence[Sequence[str]]
    limit: float
    end: str
    signed: bool = False


def maps(
    panels: Sequence[Panel],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    axes: tuple[str, str],
    cell: tuple[int, int],
    pressed: bool = False,
    halved: bool = False,
    palette: Palette = LIGHT,
) -> Figure:
    """Rows are queries, columns are keys; a click hands back [row, column].

    Args:
        panels: one or two.
        queries, keys: labels of rows and columns; equal ones stay apart.
        axes: titles of rows and columns.
        cell: the picked one, its row and itself framed in every map.
        halved: whether another figure stands beside it, so that it has half the width.
        pressed: for the stage, where it is pressed to two thirds of its height: many rows then get less room, and fewer labels.
    """
    rows, columns = len(queries), len(keys)
    row_height = min(cell_height(rows), PRESSED / rows) if pressed else cell_height(rows)
    height, lowest = (max(300, round(each * rows) + ABOVE) for each in (row_height, min(row_height, LOW)))
    fig = figure(palette, title=title, height=height, meta_lowest=lowest)
    fig.update_layout(plot_bgcolor=palette.masked)  # shows where a cell is empty
    width = (1 - GAP * (len(panels) - 1)) / len(panels)
    abreast = 2 if halved else len(panels)
    room = columns <= (PRINTED if abreast == 1 else SIDE_BY_SIDE) and rows <= PRINTED
    thin, thin_down = thin_labels(rows, columns, abreast, pressed=pressed)
    slant = sum(map(len, keys)) * abreast > 55 or columns * abreast > 10
    for number, panel in enumerate(panels):
        left = number * (width + GAP)
        x, xaxis = ("x", "xaxis") if number == 0 else (f"x{number + 1}", f"xaxis{number + 1}")
        before = len(fig.data)
        _draw(fig, panel, left + width, room, palette)
        for trace in fig.data[before:]:
            trace.update(xaxis=x)
        look = token_axis(keys, f"<b>{plain(panel.name)}</b><br>{plain(axes[1])}", cell[1], palette.k_text, thin)
        look |= {"domain": [left, left + width], "side": "top", "ticks": "", "tickangle": -40 if slant else 0, "showline": True}
        fig.update_layout(**{xaxis: look})
        frame(fig, (0, columns - 1), (cell[0], cell[0]), palette.q, 2, xref=x)
        frame(fig, (cell[1], cell[1]), (cell[0], cell[0]), palette.accent, 4, xref=x)
    fig.update_yaxes(**token_axis(queries, plain(axes[0]), cell[0], palette.q_text, thin_down, down=True), ticks="")
    say(fig, *(plain(panel.hovers[cell[0]][cell[1]]) for panel in panels))
    return fig


def thin_labels(rows: int, columns: int, abreast: int, *, pressed: bool) -> tuple[int, int]:
    """Every how many columns, and every how many rows, a label has room. abreast, pressed: as for `maps`."""
    down = -(-24 * rows // round(PRESSED * 2 / 3 - ABOVE / 3)) if pressed else thin_rows(rows)
    return thin_columns(columns * abreast), down


def _draw(fig: Figure, panel: Panel, right: float, room: bool, palette: Palette) -> None:
    """One map on the first axes, its scale to the right of it."""
    rows, columns = panel.values.shape
    hues, low = (palette.diverging, -panel.limit) if panel.signed else (palette.sequential, 0.0)
    colours: dict[str, Any] = {"colorscale": scale(hues), "zmin": low, "zmax": panel.limit}
    hovers = [[plain(text) for text in line] for line in panel.hovers]
    clicks = rows * columns <= CLICKABLE
    gap = 2 if max(rows, columns) <= 40 else 0
    hover = {"hoverinfo": "skip"} if clicks else {"hovertext": hovers}
    bar = {"thickness": 12, "x": right, "xanchor": "left", "xpad": 6}
    values, texts = [0.0, panel.limit], ["0", plain(panel.end)]
    if panel.signed:
        values, texts = [low, *values], [f"−{plain(panel.end)}", *texts]
    ticks = {"tickvals": values, "ticktext": texts}
    fig.add_heatmap(z=panel.values, xgap=gap, ygap=gap, colorbar={**bar, **ticks}, **hover, **colours)
    if room:
        print_values(fig, panel.values, [[plain(text) for text in line] for line in panel.written], **colours)
    if clicks:
        click_cells(fig, hovers)
        fig.data[-1]["marker"]["size"] = 20


def written_in(values: Floats, text: Callable[[float], str]) -> list[list[str]]:
    """What is written in each cell; nothing where it would read 0, or is no number."""
    texts = [["" if np.isnan(value) else text(value) for value in row] for row in values.tolist()]
    return [[each if each.strip("0.") else "" for each in row] for row in texts]


def greatest(values: Floats) -> float:
    """The end of a scale that holds all of these, never 0."""
    return float(np.nanmax(values, initial=1e-9))
