"""All heads of a layer beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import CLICKABLE, Floats, click_targets, frame, reading
from viz_core.figures.base import FONT, figure, plain
from viz_core.figures.described import say
from viz_core.figures.palette import LIGHT, Palette, scale


def attention_grid(
    weights: Floats,
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    titles: Sequence[str],
    where: str = "",
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
        where: said at the end of each hover after the map's title, such as "layer 3".
        axes: titles of the rows and columns of every map.
        row: the current query, framed in every map.
        lit: index of the map to frame.
    """
    n, height, width = weights.shape
    lines, columns = -(-n // columns), min(columns, n)
    gap_x, gap_y = max(1, width // 10), max(2, -(-height // 4))
    tiled = np.full((lines * (height + gap_y) - gap_y, columns * (width + gap_x) - gap_x), np.nan)
    fig = figure(palette, height=60 + lines * 235)
    stride = max(1, math.ceil(math.sqrt(weights.size / CLICKABLE)))  # one click target for so many cells, both ways
    x, y, data, hover = [], [], [], []
    for index in range(n):
        top, left = (index // columns) * (height + gap_y), (index % columns) * (width + gap_x)
        tiled[top : top + height, left : left + width] = weights[index]
        for i in range(0, height, stride):
            words = reading(queries[i], keys, weights[index, i])
            for j in range(0, width, stride):
                x.append(left + j)
                y.append(top + i)
                data.append([index, 0])
                hover.append(f"{words[j]}, {plain(titles[index])}")
        line = {"color": palette.accent if index == lit else palette.line, "width": 5 if index == lit else 1}
        edge = {"x0": left - 0.5, "x1": left + width - 0.5, "y0": top - 0.5, "y1": top + height - 0.5}
        fig.add_shape(type="rect", line=line, fillcolor=palette.masked, layer="below", **edge)
        if row is not None:
            frame(fig, (left, left + width - 1), (top + row, top + row), palette.q, 2)
        name = plain(titles[index])
        fig.add_annotation(
            x=left - 0.5, y=top - 0.6, text=f"<b>{name}</b>" if index == lit else name, showarrow=False,
            xanchor="left", yanchor="bottom", font={"size": FONT, "color": palette.accent if index == lit else palette.ink},
        )  # fmt: skip
    fig.add_heatmap(
        z=tiled,
        colorscale=scale(palette.sequential),
        zmin=0.0,
        zmax=1.0,
        hoverinfo="skip",
        hoverongaps=False,
        colorbar={"thickness": 14, "outlinewidth": 0, "tickformat": ".0%", "tickfont": {"size": FONT}},
    )
    click_targets(fig, x, y, data, hover, f", {plain(where)}" if where else "")
    if lit is not None and row is not None:
        strongest = int(np.argmax(np.nan_to_num(weights[lit, row])))
        say(fig, f"{reading(queries[row], keys, weights[lit, row])[strongest]}, {plain(titles[lit])}")
    bare = {"showticklabels": False, "showline": False, "ticks": ""}
    fig.update_xaxes(title={"text": plain(axes[1])}, range=[-1, tiled.shape[1]], **bare)
    fig.update_yaxes(title={"text": plain(axes[0])}, range=[tiled.shape[0] - 0.4, -1 - gap_y], **bare)
    return fig
