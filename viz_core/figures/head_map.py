"""Map of all heads of one attention: layers down, heads across."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import Floats, click_targets, frame, print_values
from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette, scale

ROW = 62
"""Pixels of a layer's row: two lines of text."""


def head_map(
    values: Floats,
    written: Sequence[Sequence[str]],
    hover: Sequence[Sequence[str]],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: tuple[int, int],
    limit: float = 0.0,
    palette: Palette = LIGHT,
) -> go.Figure:
    """A cell for each head; a click hands back [layer, head].

    Args:
        values: (L, h), what colours a cell: shares in 0…1, or with a limit signed numbers.
        written, hover: of each cell, as plain text; a line break in `written` begins another line.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the layer and head on display.
        limit: the end of the diverging scale; 0 for shares.
    """
    layers, heads = values.shape
    fig = figure(palette, title=title, height=ROW * layers + 130)
    colours: dict[str, Any] = {
        "colorscale": scale(palette.diverging if limit else palette.sequential),
        "zmin": -limit,
        "zmax": limit or 1.0,
    }
    fig.add_heatmap(z=values, xgap=3, ygap=3, hoverinfo="skip", showscale=False, **colours)
    texts = [["<br>".join(map(plain, text.split("\n"))) for text in row] for row in written]
    print_values(fig, values, texts, **colours)
    places = [(layer, head) for layer in range(layers) for head in range(heads)]
    told = [plain(hover[layer][head]) for layer, head in places]
    click_targets(fig, [head for _, head in places], [layer for layer, _ in places], [list(place) for place in places], told)
    fig.update_xaxes(
        tickvals=list(range(heads)), ticktext=[str(head + 1) for head in range(heads)], title=axes[1], side="top", ticks="",
        range=[-0.5, heads - 0.5],
    )  # fmt: skip
    fig.update_yaxes(
        tickvals=list(range(layers)), ticktext=[str(layer + 1) for layer in range(layers)], title=axes[0], ticks="",
        range=[layers - 0.5, -0.5],
    )  # fmt: skip
    frame(fig, (highlighted[1], highlighted[1]), (highlighted[0], highlighted[0]), palette.accent, 4)
    say(fig, told[highlighted[0] * heads + highlighted[1]])
    fig.update_layout(font_size=FONT)
    return fig


def limit_of(values: Floats) -> float:
    """The end of a scale that holds all of these, never 0."""
    return float(np.max(np.abs(values), initial=1e-9))
