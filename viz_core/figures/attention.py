"""Attention as heatmaps: rows are queries, columns are keys, always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from viz_core.figures.base import FONT, figure, percent, plain, token_axis
from viz_core.figures.described import say
from viz_core.figures.ink import mixed, readable
from viz_core.figures.palette import LIGHT, Palette, scale
from viz_core.texts import fill, texts

Floats = npt.NDArray[np.floating[Any]]
PRINTED = 13  # up to so many tokens each cell shows its value
CLICKABLE = 4_000  # cells; above, the invisible click targets would be slower than what they are good for


def attention_heatmap(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    where: str = "",
    axes: tuple[str, str] = ("queries", "keys"),
    row: int | None = None,
    locked: tuple[int, int] | None = None,
    absent: tuple[int, str] | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """One head's attention as a heatmap.

    Args:
        weights: (Tq, Tk), each row sums to 1; NaN where the mask forbids, drawn grey.
        queries, keys: the pieces on the rows and columns; equal pieces stay apart.
        where: said at the end of each hover, such as "layer 3, head 5".
        axes: titles of rows and columns.
        row: the current query, lit.
        locked: the picked cell (query, key), framed.
        absent: rows and columns from this one on do not exist yet; the words that say so.
    """
    colours = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig = _matrix(
        weights, queries, keys, [reading(q, keys, line) for q, line in zip(queries, weights, strict=True)],
        end=f", {plain(where)}" if where else "", title=title, axes=axes, row=row, locked=locked, absent=absent, palette=palette,
        text=lambda value: percent(value).removesuffix(" %") if value >= 0.005 else "",
        colours=colours, bar={"tickformat": ".0%"},
    )  # fmt: skip
    if max(weights.shape) <= PRINTED and np.any((weights > 0) & (weights < 0.005)):
        below = {"xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right", "yanchor": "top", "yshift": -4}
        fig.add_annotation(
            text=plain(texts("hovers")["small"]), showarrow=False, font={"size": FONT, "color": palette.quiet}, **below
        )
        fig.update_layout(margin_b=40, height=fig.layout.height + 30)
    return fig


def score_heatmap(
    scores: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    name: str,
    limit: float,
    masked: str = texts("hovers")["masked_cell"],
    where: str = "",
    axes: tuple[str, str] = ("queries", "keys"),
    row: int | None = None,
    locked: tuple[int, int] | None = None,
    absent: tuple[int, str] | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """One head's scores, raw, scaled or masked, on a diverging scale centred on 0.

    Args:
        scores: (Tq, Tk), signed; −∞ or NaN where the mask forbids, drawn grey.
        name: what a value is called in the hover, such as "q·k".
        limit: the scale ends at ±limit; the same for every step and for raw and scaled, so that they can be compared.
        masked: said in the hover of a cell that the mask forbids.
        where, axes, row, locked, absent: as in `attention_heatmap`.
    """
    finite = np.where(np.isfinite(scores), scores, np.nan)
    hover = [
        [
            f"«{plain(query)}» → «{plain(key)}»: " + (f"{plain(name)} = {signed(value)}" if np.isfinite(value) else plain(masked))
            for key, value in zip(keys, line, strict=True)
        ]
        for query, line in zip(queries, finite, strict=True)
    ]
    return _matrix(
        finite, queries, keys, hover,
        end=f", {plain(where)}" if where else "", title=title, axes=axes, row=row, locked=locked, absent=absent, palette=palette,
        text=lambda value: signed(value, 1), bar={},
        colours={"colorscale": scale(palette.diverging), "zmin": -limit, "zmax": limit},
    )  # fmt: skip


def reading(query: str, keys: Sequence[str], weights: Floats) -> list[str]:
    """What a hover says about one row: «Katze» looks 62 % at «cat»."""
    words, row = texts("hovers"), plain(query)
    return [
        fill(words["masked"], {"query": row, "key": plain(key)})
        if np.isnan(weight)
        else fill(words["looks"], {"query": row, "key": plain(key), "share": percent(float(weight))})
        for key, weight in zip(keys, weights, strict=True)
    ]


def signed(value: float, digits: int = 2) -> str:
    """With a true minus sign, as wide as a plus; with more digits where it would seem to be 0."""
    while value and digits < 6 and not float(f"{value:.{digits}f}"):
        digits += 1
    return f"{value:.{digits}f}".replace("-", "−")


def cell_height(rows: int) -> int:
    """Pixels of one row: as large as the screen allows, at least 28 for up to 24 rows; less for more, to be seen whole."""
    return max(28, min(56, 400 // max(rows, 1))) if rows <= 24 else max(6, 680 // rows)


def thin_rows(rows: int) -> int:
    """Every how many rows a label has room for its height."""
    return -(-24 // cell_height(rows))


def thin_columns(columns: int) -> int:
    """Every how many columns a slanted label has room on a figure 600 px wide."""
    return -(-columns // 25)


def frame(fig: go.Figure, x: tuple[float, float], y: tuple[float, float], colour: str, width: int, **where: Any) -> None:
    """A frame around the cells from x[0] to x[1] and y[0] to y[1], both included."""
    line = {"color": colour, "width": width}
    fig.add_shape(type="rect", x0=x[0] - 0.5, x1=x[1] + 0.5, y0=y[0] - 0.5, y1=y[1] + 0.5, line=line, **where)


def click_targets(
    fig: go.Figure, x: Sequence[float], y: Sequence[float], data: list[list[int]], hover: list[str], end: str = ""
) -> None:
    """One invisible marker on each cell: a heatmap itself sends no click to Streamlit.

    Args:
        data: what a click on each hands back as `customdata`.
    """
    clear = {"marker": {"opacity": 0}}
    fig.add_scatter(
        x=list(x), y=list(y), customdata=data, mode="markers", marker={"size": 28, "opacity": 0, "symbol": "square"},
        selected=clear, unselected=clear, hovertext=hover, hovertemplate="%{hovertext}" + end + "<extra></extra>",
    )  # fmt: skip
    fig.update_layout(clickmode="event+select", dragmode=False)


def print_values(
    fig: go.Figure, values: Floats, texts: list[list[str]], colorscale: list[list[float | str]], zmin: float, zmax: float
) -> None:
    """Writes each cell's value in black or white, whichever contrasts more with the cell: always at least 4.5:1.

    The colours of `colorscale` are at equal distances. plotly's own choice is between white and a grey that fades into the
    middle of a scale. So two clear heatmaps lie over the first, one for each ink.
    """
    colours = [str(colour) for _, colour in colorscale]
    shares = np.clip((np.nan_to_num(values) - zmin) / (zmax - zmin), 0, 1).ravel()
    black = np.array([readable(mixed(colours, float(share))) == "#000000" for share in shares]).reshape(values.shape)
    for ink, here in (("#000000", black), ("#FFFFFF", ~black)):
        if here.any():
            own = np.where(here, np.array(texts), "").tolist()  # a text would also be written where the cell is empty
            fig.add_heatmap(
                z=np.where(here, 0.0, np.nan), text=own, texttemplate="%{text}", hoverinfo="skip",
                textfont={"size": FONT, "color": ink}, colorscale=[[0, "rgba(0,0,0,0)"], [1, "rgba(0,0,0,0)"]], showscale=False,
            )  # fmt: skip


def _matrix(
    values: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    hover: list[list[str]],
    *,
    end: str,
    title: str,
    axes: tuple[str, str],
    row: int | None,
    locked: tuple[int, int] | None,
    absent: tuple[int, str] | None,
    palette: Palette,
    text: Any,
    colours: dict[str, Any],
    bar: dict[str, Any],
) -> go.Figure:
    rows, columns = values.shape
    there = absent[0] if absent else max(rows, columns)  # rows and columns that exist so far
    values = np.where((np.arange(rows)[:, None] < there) & (np.arange(columns) < there), values, np.nan)
    fig = figure(palette, title=title, height=max(300, cell_height(rows) * rows + 175))
    fig.update_layout(plot_bgcolor=palette.masked)  # shows where a cell is empty
    printed = max(rows, columns) <= PRINTED
    clickable = rows * columns <= CLICKABLE
    gap = 2 if max(rows, columns) <= 40 else 0
    fig.add_heatmap(
        z=values,
        xgap=gap,
        ygap=gap,
        colorbar={"thickness": 14, "outlinewidth": 0, "tickfont": {"size": FONT}, **bar},
        **({"hoverinfo": "skip"} if clickable else {"hovertext": hover, "hovertemplate": "%{hovertext}" + end + "<extra></extra>"}),
        **colours,
    )
    if printed:
        print_values(fig, values, [[text(v) if np.isfinite(v) else "" for v in line] for line in values], **colours)
    if clickable:
        cells = [(i, j) for i in range(min(rows, there)) for j in range(min(columns, there))]
        words = [hover[i][j] for i, j in cells]
        click_targets(fig, [j for _, j in cells], [i for i, _ in cells], [[i, j] for i, j in cells], words, end)
    current = row if row is not None else (locked[0] if locked else None)
    column = locked[1] if locked else None
    slant = sum(map(len, keys)) > 55 or len(keys) > 10
    across, down = ([*labels[:there], *[""] * (len(labels) - there)] for labels in (keys, queries))
    fig.update_xaxes(**token_axis(across, axes[1], column, palette.k_text, thin=thin_columns(columns)))
    fig.update_xaxes(side="top", ticks="", tickangle=-40 if slant else 0)
    fig.update_yaxes(**token_axis(down, axes[0], current, palette.q_text, thin=thin_rows(rows)))
    fig.update_yaxes(range=[rows - 0.5, -0.5], ticks="")  # the first query on top
    if absent:
        _absent(fig, rows, columns, absent, palette)
    if row is not None:
        frame(fig, (0, min(columns, there) - 1), (row, row), palette.q, 3)
    if locked is not None:
        frame(fig, (locked[1], locked[1]), (locked[0], locked[0]), palette.accent, 4)
    spot = locked or (None if row is None else (row, int(np.argmax(np.nan_to_num(values[row], nan=-np.inf)))))
    if spot is not None:
        say(fig, hover[spot[0]][spot[1]] + end)
    return fig


def _absent(fig: go.Figure, rows: int, columns: int, absent: tuple[int, str], palette: Palette) -> None:
    """Clears what does not exist yet, and says so where there is room."""
    there, words = absent
    clear = {"fillcolor": palette.surface, "line": {"width": 0}, "type": "rect"}
    if there < rows:
        fig.add_shape(x0=-0.5, x1=columns - 0.5, y0=there - 0.5, y1=rows - 0.5, **clear)
    if there < columns:
        fig.add_shape(x0=there - 0.5, x1=columns - 0.5, y0=-0.5, y1=rows - 0.5, **clear)
    if there < rows:
        middle = {"x": (columns - 1) / 2, "y": (there + rows - 1) / 2, "showarrow": False}
        fig.add_annotation(text=plain(words), font={"size": FONT, "color": palette.quiet}, **middle)
