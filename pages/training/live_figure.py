"""What a model that learns looks at: cross attention of one example, with the places framed where the answer stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from pages.training.guided_figure import cost_lines
from viz_core.figures.attention import Floats, attention_heatmap, click_targets, frame
from viz_core.figures.base import FONT, figure, percent, plain, say
from viz_core.figures.palette import LIGHT, Palette, scale

GAP = 1
"""Empty cells between two maps."""


def example_map(
    weights: Floats, queries: Sequence[str], keys: Sequence[str], right: Sequence[int], *,
    title: str, where: str, axes: tuple[str, str], height: int, cost: Floats | None = None, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """One head.

    Args:
        right: of each of the first rows the column in which the answer stands, framed.
        cost: (Tq, Tk), of guided attention, drawn as lines over the cells.
    """
    fig = attention_heatmap(weights, queries, keys, title=title, where=where, axes=axes, palette=palette)
    for row, column in enumerate(right):
        frame(fig, (column, column), (row, row), palette.output, 3)
    if cost is not None:
        cost_lines(fig, cost, palette)
    fig.data[0].showscale = False  # each cell has its number
    fig.update_layout(height=height)
    return fig


def all_maps(
    weights: Floats, queries: Sequence[str], keys: Sequence[str], *,
    title: str, names: Sequence[Sequence[str]], axes: tuple[str, str], height: int, first: int = 0, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """All heads as small maps: layers down, heads across; in each, rows are queries and columns are keys.


    Args:
        weights: (L, h, Tq, Tk).
        names: of each layer's heads, written over its map.
        axes: titles of rows and columns.
        first: a click on the first head hands back [first], on the next one [first + 1], layer by layer.
    """
    layers, heads, rows, columns = weights.shape
    high, wide = rows + GAP + 1, columns + GAP  # one row more for the name
    tiled = np.full((layers * high, heads * wide - GAP), np.nan)
    said = np.full(tiled.shape, "", dtype=object)
    fig = figure(palette, title=title, height=height)
    notes, places = [], []
    for layer in range(layers):
        for head in range(heads):
            top, left = layer * high + 1, head * wide
            tiled[top : top + rows, left : left + columns] = weights[layer, head]
            for i, query in enumerate(queries):
                for j, key in enumerate(keys):
                    share = percent(float(weights[layer, head, i, j]))
                    places.append((left + j, top + i, layer * heads + head))
                    said[top + i, left + j] = plain(f"{names[layer][head]}: {axes[0]} {query}, {axes[1]} {key}: {share}")
            size = FONT if heads <= 4 else 14
            at = {"x": left - 0.5, "y": top - 0.6, "xanchor": "left", "yanchor": "bottom", "showarrow": False}
            notes.append({"text": plain(names[layer][head]), "font": {"size": size, "color": palette.ink}, **at})
            edge = {"type": "rect", "line": {"color": palette.line, "width": 1}}
            fig.add_shape(x0=left - 0.5, x1=left + columns - 0.5, y0=top - 0.5, y1=top + rows - 0.5, **edge)
    fig.add_heatmap(
        z=tiled, colorscale=scale(palette.sequential), zmin=0, zmax=1, hoverinfo="skip",
        colorbar={"thickness": 14, "outlinewidth": 0, "tickformat": ".0%"},
    )  # fmt: skip
    across, down, heads_of = zip(*places, strict=True)
    hover = [str(said[y, x]) for x, y in zip(across, down, strict=True)]
    click_targets(fig, across, down, [[first + which] for which in heads_of], hover)
    fig.data[-1].marker.size = 16
    fig.update_layout(annotations=notes)
    bare = {"showticklabels": False, "ticks": "", "showline": False}
    fig.update_xaxes(title={"text": plain(axes[1]), "standoff": 14}, range=[-0.5, tiled.shape[1] - 0.5], side="top", **bare)
    fig.update_yaxes(title=plain(axes[0]), range=[tiled.shape[0] - 0.5, -0.5], **bare)
    say(fig, *(name for line in names for name in line))
    return fig
