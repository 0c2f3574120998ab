"""Vectors as rows of coloured cells, some with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from viz_core.figures.attention import Floats, frame, signed
from viz_core.figures.base import FONT, figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, mixed, readable, scale
from viz_core.texts import named


def vector_matrix(
    rows: Floats,
    labels: Sequence[str],
    *,
    axes: tuple[str, str],
    limit: float,
    title: str = "",
    highlighted: int | None = None,
    first: int = 1,
    palette: Palette = LIGHT,
) -> Figure:
    """One vector on each row, every dimension a column, on a diverging scale that ends at ±limit.

    Args:
        rows: (T, D).
        labels: of the rows; equal ones stay apart.
        axes: titles of rows and columns.
        highlighted: the row to frame.
        first: the number of the first column.
    """
    count, dims = rows.shape
    height = max(6, min(44, 520 // max(count, 1)) if count > 12 else 44)
    thin = -(-24 // height)
    fig = figure(palette, title=title, height=max(260, height * count + 170))
    fig.add_heatmap(
        z=rows,
        x=list(range(first, first + dims)),
        colorscale=scale(palette.diverging),
        zmin=-limit,
        zmax=limit,
        ygap=2 if height >= 20 else 0,
        hovertemplate="«%{y}», " + plain(axes[1]) + " %{x}: %{z:.4f}<extra></extra>",
        colorbar=_bar(limit),
    )
    fig.update_xaxes(title={"text": plain(axes[1])}, range=[first - 0.5, first + dims - 0.5], **_ticks(dims, first))
    fig.update_yaxes(**token_axis(labels, plain(axes[0]), highlighted, palette.accent, thin, down=True), autorange=False)
    if highlighted is not None:
        say(fig, _begins(labels[highlighted], rows[highlighted]))
        frame(fig, (first, first + dims - 1), (highlighted, highlighted), palette.accent, 3)
    return fig


def vector_table(
    vectors: Sequence[Floats],
    names: Sequence[str],
    notes: Sequence[str],
    *,
    axis: str,
    limit: float,
    first: int = 1,
    shown: int = 8,
    palette: Palette = LIGHT,
) -> Figure:
    """A few vectors under each other: their first numbers as a table above, all their dimensions as strips below, on one scale.

    Args:
        vectors: (D,) each, the first on top.
        names: of the rows, such as "embedding", "+ position", "= input".
        notes: said right of each strip, such as its length.
        axis: title of the axis of dimensions.
        first: the number of the first dimension.
        shown: number of dimensions whose numbers are printed.
    """
    rows = np.stack(vectors)
    count, dims = rows.shape
    shown = min(shown, dims)
    cell, strip, gap = 54, 46, 92
    inner = count * (cell + strip) + gap
    split = count * strip / inner  # below it the strips
    fig = figure(palette, height=inner + 130)
    colours = {"colorscale": scale(palette.diverging), "zmin": -limit, "zmax": limit, "ygap": 4}
    y = list(range(count))
    for place, row in enumerate(rows):
        _numbered(fig, range(first, first + shown), place, row[:shown], 2, limit, palette)
    fig.add_heatmap(
        z=rows, x=list(range(first, first + dims)), y=y, xaxis="x2", yaxis="y2",
        colorbar={**_bar(limit), "len": 1 - split - 0.06, "y": 1.02, "yanchor": "top", "x": 0.88, "xanchor": "left"},
        hovertemplate="%{y}, " + plain(axis) + " %{x}: %{z:.4f}<extra></extra>", **colours,
    )  # fmt: skip
    labels = {"tickmode": "array", "tickvals": y, "ticktext": [plain(name) for name in names], "range": [count - 0.5, -0.5]}
    plainly = {"automargin": True}
    fig.update_layout(
        xaxis={"side": "top", "dtick": 1, "domain": [0, 0.86], "anchor": "y", "range": [first - 0.5, first + shown - 0.5]},
        yaxis={**labels, "domain": [1 - count * cell / inner, 1]},
        xaxis2={**plainly, **_ticks(dims, first), "domain": [0, 0.86], "anchor": "y2", "title": {"text": plain(axis)},
                "range": [first - 0.5, first + dims - 0.5]},
        yaxis2={**plainly, **labels, "domain": [0, split], "anchor": "x2"},
    )  # fmt: skip
    for row, note in enumerate(notes):
        fig.add_annotation(text=plain(note), x=0.875, xref="paper", xanchor="left", y=row, yref="y2", font={"size": FONT + 1})
    say(fig, *(f"{_begins(name, row)} {plain(note)}" for name, row, note in zip(names, rows, notes, strict=True)))
    # The table is the left end of the strips: two lines say which part of them it enlarges.
    share = 0.86 * shown / dims
    for top, bottom in ((0.0, 0.0), (0.86, share)):
        fig.add_shape(
            type="line", xref="paper", yref="paper", x0=top, y0=1 - count * cell / inner, x1=bottom, y1=split,
            line={"color": palette.quiet, "width": 1, "dash": "dot"},
        )  # fmt: skip
    return fig


def _begins(name: str, row: Floats) -> str:
    """A vector in words: its name and its first numbers."""
    return named(plain(name), ", ".join([*(signed(float(v)) for v in row[:4]), *["…"] * (len(row) > 4)]))


def _ticks(dims: int, first: int) -> dict[str, Any]:
    """Ticks at every n-th dimension, including the first and the last."""
    every = max(1, dims // 8)
    values = sorted({first, *range(every if first else 0, first + dims, every), first + dims - 1})
    if len(values) > 2 and values[-1] - values[-2] < every / 2:
        values.pop(-2)
    if len(values) > 2 and values[1] - values[0] < every / 2:
        values.pop(1)
    return {"tickmode": "array", "tickvals": values, "ticktext": [str(value) for value in values]}


def _bar(limit: float) -> dict[str, Any]:
    ends = [-limit, 0, limit]
    texts = [f"≤ −{limit:g}", "0", f"≥ {limit:g}"]
    return {"tickvals": ends, "ticktext": texts}


def _numbered(fig: Figure, x: Sequence[float], y: float, values: Floats, digits: int, limit: float, palette: Palette) -> None:
    """One line of cells with their numbers, each in the ink that can be read on its colour.

    Args:
        x: the middle of each cell; cells are 1 wide and 1 high.
    """
    colours = {"colorscale": scale(palette.diverging), "zmin": -limit, "zmax": limit, "showscale": False, "hoverinfo": "skip"}
    for at, value in zip(x, values, strict=True):
        fig.add_heatmap(x=[at], y=[y], dx=1, dy=1, z=[[float(value)]], xgap=3, ygap=3, **colours)
    inks = [readable(mixed(palette.diverging, (float(v) / limit + 1) / 2)) for v in values]
    fig.add_scatter(
        x=list(x), y=[y] * len(values), mode="text", text=[signed(float(v), digits) for v in values], hoverinfo="skip",
        textfont={"size": FONT + 2, "color": inks},
    )  # fmt: skip
