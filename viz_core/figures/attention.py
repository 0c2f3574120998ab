"""Attention as heatmaps: rows are queries, columns are keys, always."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.figures.base import figure, percent, percent_ticks, plain, say, share_in_cell, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, mixed, readable, scale
from viz_core.texts import fill, texts

Floats = npt.NDArray[np.floating[Any]]
PRINTED = 13  # most tokens with which each cell shows its value


def attention_heatmap(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    where: str = "",
    axes: tuple[str, str] = ("queries", "keys"),
    row: int | None = None,
    palette: Palette = LIGHT,
) -> Figure:
    """One head's attention as a heatmap.

    Args:
        weights: (Tq, Tk), each row sums to 1; NaN where masked, drawn grey.
        queries, keys: the tokens of rows and columns; equal tokens stay apart.
        where: the end of each hover text, such as "layer 3, head 5".
        axes: titles of rows and columns.
        row: the current query, highlighted.
    """
    rows, columns = weights.shape
    hover = [reading(q, keys, line) for q, line in zip(queries, weights, strict=True)]
    end = f", {plain(where)}" if where else ""
    colours: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig = figure(palette, title=title, height=max(300, cell_height(rows) * rows + 175))
    fig.update_layout(plot_bgcolor=palette.masked)  # shows where a cell is empty
    gap = 2 if max(rows, columns) <= 40 else 0
    fig.add_heatmap(
        z=weights, xgap=gap, ygap=gap, hovertext=hover, hovertemplate="%{hovertext}" + end + "<extra></extra>",
        colorbar=percent_ticks(0, 0.25, 0.5, 0.75, 1), **colours,
    )  # fmt: skip
    if max(rows, columns) <= PRINTED:
        written = [[share_in_cell(value) for value in line] for line in weights]
        print_values(fig, weights, written, **colours)
    slant = sum(map(len, keys)) > 55 or len(keys) > 10
    fig.update_xaxes(**token_axis(keys, axes[1], None, palette.k_text, thin=thin_columns(columns)))
    fig.update_xaxes(side="top", ticks="", tickangle=-40 if slant else 0)
    fig.update_yaxes(**token_axis(queries, axes[0], row, palette.q_text, thin=thin_rows(rows), down=True), ticks="")
    if row is not None:
        frame(fig, (0, columns - 1), (row, row), palette.q, 3)
        say(fig, hover[row][int(np.argmax(np.nan_to_num(weights[row], nan=-np.inf)))] + end)
    if max(rows, columns) <= PRINTED and np.any((weights > 0) & (weights < 0.005)):
        below = {"xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right", "yanchor": "top", "yshift": -4}
        fig.add_annotation(text=plain(texts("figures.hovers")["small"]), font_color=palette.quiet, **below)
        fig.update_layout(margin_b=40, height=fig.layout["height"] + 30)
    return fig


def reading(query: str, keys: Sequence[str], weights: Floats) -> list[str]:
    """Hover texts of one row, such as "«Katze» gives 62 % of its attention to «cat»"."""
    words, row = texts("figures.hovers"), plain(query)
    return [
        fill(words["masked"], {"query": row, "key": plain(key)})
        if np.isnan(weight)
        else fill(words["looks"], {"query": row, "key": plain(key), "share": percent(float(weight))})
        for key, weight in zip(keys, weights, strict=True)
    ]


def signed(value: float, digits: int = 2) -> str:
    """A number with a true minus sign, as wide as a plus, and more digits where it would read 0."""
    texts = (f"{value:.{places}f}" for places in range(digits, 7))
    return next((text for text in texts if float(text) or not value), f"{value:.0e}").replace("-", "−")


def cell_height(rows: int) -> int:
    """Pixels of one row: as large as the screen allows, at least 28 for up to 24 rows; less for more, so that all are visible."""
    return max(28, min(56, 400 // max(rows, 1))) if rows <= 24 else max(6, 680 // rows)


def thin_rows(rows: int) -> int:
    """N such that every n-th row has room for a label."""
    return -(-24 // cell_height(rows))


def thin_columns(columns: int) -> int:
    """N such that every n-th column has room for a slanted label on a figure 600 px wide."""
    return -(-columns // 25)


def frame(fig: Figure, x: tuple[float, float], y: tuple[float, float], colour: str, width: int, **where: Any) -> None:
    """A frame around the cells from x[0] to x[1] and y[0] to y[1], both included."""
    line = {"color": colour, "width": width}
    fig.add_shape(type="rect", x0=x[0] - 0.5, x1=x[1] + 0.5, y0=y[0] - 0.5, y1=y[1] + 0.5, line=line, **where)


def print_values(
    fig: Figure, values: Floats, texts: list[list[str]], colorscale: list[list[float | str]], zmin: float, zmax: float
) -> None:
    """Writes each cell's value in black or white, whichever contrasts more with the cell: always at least 4.5:1.

    The colours of `colorscale` are at equal distances. plotly itself chooses between white and a grey that fades into the middle of
    a scale, so two transparent heatmaps lie over the first, one for each ink.
    """
    colours = [str(colour) for _, colour in colorscale]
    shares = np.clip((np.nan_to_num(values) - zmin) / (zmax - zmin), 0, 1).ravel()
    black = np.array([readable(mixed(colours, float(share))) == "#000000" for share in shares]).reshape(values.shape)
    for ink, cells in (("#000000", black), ("#FFFFFF", ~black)):
        if cells.any():
            own = np.where(cells, np.array(texts), "").tolist()  # plotly would also write texts into empty cells
            fig.add_heatmap(
                z=np.where(cells, 0.0, np.nan), text=own, texttemplate="%{text}", hoverinfo="skip",
                textfont_color=ink, colorscale=[[0, "rgba(0,0,0,0)"], [1, "rgba(0,0,0,0)"]], showscale=False,
            )  # fmt: skip
