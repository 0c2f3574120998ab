"""Attention as heatmaps: rows are queries, columns are keys, always."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from viz_core.figures.base import FONT, figure, percent, plain, token_axis
from viz_core.figures.palette import LIGHT, Palette, scale

Floats = npt.NDArray[np.floating[Any]]
PRINTED = 8  # up to so many tokens each cell shows its value


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
    """
    hover = [
        [_reading(queries[i], keys[j], weights[i, j], where) for j in range(len(keys))]
        for i in range(len(queries))
    ]  # fmt: skip
    return _matrix(
        weights,
        queries,
        keys,
        hover,
        title=title,
        axes=axes,
        row=row,
        locked=locked,
        palette=palette,
        text=lambda value: percent(value).removesuffix(" %"),
        colours={"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0},
        bar={"tickformat": ".0%"},
    )


def score_heatmap(
    scores: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    title: str,
    name: str,
    limit: float,
    axes: tuple[str, str] = ("queries", "keys"),
    row: int | None = None,
    locked: tuple[int, int] | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """One head's scores, raw, scaled or masked, on a diverging scale centred on 0.

    Args:
        scores: (Tq, Tk), signed; −∞ or NaN where the mask forbids, drawn grey.
        name: what a value is called in the hover, such as "q·k".
        limit: the scale ends at ±limit; the same for every step, so that steps can be compared.
    """
    finite = np.where(np.isfinite(scores), scores, np.nan)
    hover = [
        [
            f"«{plain(queries[i])}» → «{plain(keys[j])}»: "
            + (f"{name} = {finite[i, j]:.3f}" if np.isfinite(finite[i, j]) else "masked: may not look here")
            for j in range(len(keys))
        ]
        for i in range(len(queries))
    ]
    return _matrix(
        finite,
        queries,
        keys,
        hover,
        title=title,
        axes=axes,
        row=row,
        locked=locked,
        palette=palette,
        text=lambda value: f"{value:.1f}",
        colours={"colorscale": scale(palette.diverging), "zmin": -limit, "zmax": limit},
        bar={},
    )


def _reading(query: str, key: str, weight: float, where: str) -> str:
    if np.isnan(weight):
        return f"«{plain(query)}» may not look at «{plain(key)}»: masked"
    end = f", {where}" if where else ""
    return f"«{plain(query)}» looks {percent(float(weight))} at «{plain(key)}»{end}"


def _matrix(
    values: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    hover: list[list[str]],
    *,
    title: str,
    axes: tuple[str, str],
    row: int | None,
    locked: tuple[int, int] | None,
    palette: Palette,
    text: Any,
    colours: dict[str, Any],
    bar: dict[str, Any],
) -> go.Figure:
    cell = max(28, min(64, 420 // max(len(queries), 1)))
    fig = figure(palette, title=title, height=max(320, cell * len(queries) + 190))
    fig.update_layout(plot_bgcolor=palette.masked)  # shows where a cell is empty
    printed = max(len(queries), len(keys)) <= PRINTED
    gap = 2 if len(queries) <= 40 else 0
    fig.add_heatmap(
        z=values,
        text=[[text(v) if np.isfinite(v) else "" for v in line] for line in values] if printed else None,
        texttemplate="%{text}" if printed else None,
        textfont={"size": FONT},
        xgap=gap,
        ygap=gap,
        hoverinfo="skip",
        colorbar={"thickness": 14, "outlinewidth": 0, "tickfont": {"size": FONT}, **bar},
        **colours,
    )
    _click_targets(fig, hover)
    current = row if row is not None else (locked[0] if locked else None)
    column = locked[1] if locked else None
    fig.update_xaxes(**token_axis(keys, axes[1], column, palette.k), side="top", tickangle=-40 if len(keys) > 6 else 0)
    fig.update_yaxes(**token_axis(queries, axes[0], current, palette.q))
    fig.update_yaxes(range=[len(queries) - 0.5, -0.5])  # the first query on top
    if row is not None:
        _frame(fig, -0.5, row - 0.5, len(keys) - 0.5, row + 0.5, palette.q, 2)
    if locked is not None:
        i, j = locked
        _frame(fig, j - 0.5, i - 0.5, j + 0.5, i + 0.5, palette.accent, 4)
    return fig


def _click_targets(fig: go.Figure, hover: list[list[str]]) -> None:
    """One invisible marker on each cell: a heatmap itself sends no click to Streamlit."""
    rows, columns = len(hover), len(hover[0]) if hover else 0
    clear = {"marker": {"opacity": 0}}
    fig.add_scatter(
        x=[j for _ in range(rows) for j in range(columns)],
        y=[i for i in range(rows) for _ in range(columns)],
        customdata=[[i, j] for i in range(rows) for j in range(columns)],
        mode="markers",
        marker={"size": 30, "opacity": 0, "symbol": "square"},
        selected=clear,
        unselected=clear,
        hovertext=[line for row in hover for line in row],
        hovertemplate="%{hovertext}<extra></extra>",
    )
    fig.update_layout(clickmode="event+select", dragmode=False)


def _frame(fig: go.Figure, x0: float, y0: float, x1: float, y1: float, colour: str, width: int) -> None:
    fig.add_shape(type="rect", x0=x0, y0=y0, x1=x1, y1=y1, line={"color": colour, "width": width})


def attention_grid(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    titles: Sequence[str],
    axes: tuple[str, str] = ("queries", "keys"),
    row: int | None = None,
    lit: int | None = None,
    columns: int = 4,
    palette: Palette = LIGHT,
) -> go.Figure:
    """Many heads beside each other, on one scale, in one plotly trace: a step then costs one drawing and not one for each head.

    A click on a head carries its index in `customdata`: (head, 0).

    Args:
        weights: (n, Tq, Tk), one map for each title; NaN where the mask forbids.
        lit: index of the map to frame.
    """
    n, height, width = weights.shape
    lines = -(-n // columns)
    gap_x, gap_y = max(1, width // 8), max(2, height // 5)
    tiled = np.full((lines * (height + gap_y) - gap_y, columns * (width + gap_x) - gap_x), np.nan)
    where: list[list[str]] = [["" for _ in range(tiled.shape[1])] for _ in range(tiled.shape[0])]
    fig = figure(palette, height=max(420, lines * 250))
    centres = []
    for index in range(n):
        top, left = (index // columns) * (height + gap_y), (index % columns) * (width + gap_x)
        tiled[top : top + height, left : left + width] = weights[index]
        for i in range(height):
            for j in range(width):
                where[top + i][left + j] = _reading(queries[i], keys[j], weights[index, i, j], titles[index])
        colour = palette.accent if index == lit else palette.line
        fig.add_shape(
            type="rect", x0=left - 0.5, x1=left + width - 0.5, y0=top - 0.5, y1=top + height - 0.5,
            line={"color": colour, "width": 4 if index == lit else 1}, fillcolor=palette.masked, layer="below",
        )  # fmt: skip
        if row is not None:
            _frame(fig, left - 0.5, top + row - 0.5, left + width - 0.5, top + row + 0.5, palette.q, 2)
        fig.add_annotation(
            x=left - 0.5, y=top - 0.6, text=plain(titles[index]), showarrow=False, xanchor="left", yanchor="bottom",
            font={"size": FONT, "color": palette.accent if index == lit else palette.ink},
        )  # fmt: skip
        centres.append((left + (width - 1) / 2, top + (height - 1) / 2))
    fig.add_heatmap(
        z=tiled,
        colorscale=scale(palette.sequential),
        zmin=0.0,
        zmax=1.0,
        hovertext=where,
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        colorbar={"thickness": 14, "outlinewidth": 0, "tickformat": ".0%", "tickfont": {"size": FONT}},
    )
    fig.update_xaxes(visible=False, range=[-1, tiled.shape[1]])
    fig.update_yaxes(visible=False, range=[tiled.shape[0], -1 - gap_y])
    fig.add_annotation(
        text=plain(f"↓ {axes[0]}   → {axes[1]}"), xref="paper", yref="paper", x=1, y=-0.02, xanchor="right", yanchor="top",
        showarrow=False, font={"size": FONT, "color": palette.quiet},
    )  # fmt: skip
    return fig
