"""What is copied at each step, and from where: a row for each written token, a column for each source token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import Floats, cell_height, click_targets, frame, print_values
from viz_core.figures.base import FONT, figure, percent, plain, token_axis
from viz_core.figures.described import say
from viz_core.figures.palette import LIGHT, Palette, scale

BARS, CELLS = (0.0, 0.2), (0.23, 1.0)
"""Where the two halves stand, as shares of the width."""
MOST = 24
"""Rows, and columns: so many have room for a label each and for their numbers."""


def around(at: int, count: int) -> range:
    """Which of so many there is room for: all, or those around one of them."""
    first = max(0, min(at - MOST // 2, count - MOST))
    return range(first, min(count, first + MOST))


def copying_figure(
    written: Sequence[str],
    source: Sequence[str],
    shares: Floats,
    contributions: Floats,
    spelled: Sequence[Sequence[int]],
    *,
    title: str,
    axes: tuple[str, str, str],
    hover: Sequence[str],
    highlighted: int,
    first: int = 0,
    palette: Palette = LIGHT,
) -> go.Figure:
    """On the left the copied share of each written token, on the right what each source token gave to it.

    A click on a row hands back its index. What has a number and spells the written token is framed: that goes into its probability,
    what the others give into that of the source token below them.

    Args:
        written, source: T and S labels, at most MOST each; equal ones stay apart.
        shares: (T,), 0…1: of the probability of the written token, what came by copying.
        contributions: (1 − p_gen) aᵢ, (T, S), 0…1.
        spelled: of each row the columns at which the written token stands.
        axes: titles of the rows, of the bars and of the cells.
        hover: of each row, as plain text.
        highlighted: the current row.
        first: the index of the first row.
    """
    rows, columns = contributions.shape
    fig = figure(palette, title=title, height=max(300, min(34, cell_height(rows)) * rows + 160))
    colours = [palette.accent if row == highlighted else palette.quiet for row in range(rows)]
    fig.add_bar(
        x=shares, y=list(range(rows)), orientation="h", width=0.7, hoverinfo="skip", marker_color=colours, marker_line_width=0,
        text=[brief(share) if share >= 0.005 else "" for share in shares], textposition="outside",
        textangle=0, constraintext="none", textfont={"size": FONT, "color": palette.ink}, cliponaxis=False,
    )  # fmt: skip
    tones: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    fig.add_heatmap(z=contributions, xaxis="x2", xgap=2, ygap=2, hoverinfo="skip", showscale=False, **tones)
    texts = [[brief(value).removesuffix(" %") if value >= 0.005 else "" for value in line] for line in contributions]
    before = len(fig.data)
    print_values(fig, contributions, texts, **tones)
    for heat in fig.data[before:]:
        heat.xaxis = "x2"
    told = [plain(text) for text in hover]
    places = [(row, column) for row in range(rows) for column in range(columns)]
    handed, said = [[first + row] for row, _ in places], [told[row] for row, _ in places]
    click_targets(fig, [c for _, c in places], [r for r, _ in places], handed, said)
    fig.data[-1].xaxis = "x2"
    slant = sum(map(len, source)) > 55 or columns > 10
    columns_axis = token_axis(source, plain(axes[2]), None, palette.k_text)
    columns_axis |= {"ticks": "", "tickangle": -40 if slant else 0, "fixedrange": True, "showgrid": False, "zeroline": False}
    fig.update_layout(
        xaxis={"domain": BARS, "range": [0, 1.5], "tickvals": [0, 1], "ticktext": ["0", "100 %"], "showgrid": True},
        xaxis_title_text=plain(axes[1]),
        xaxis2={**columns_axis, "domain": CELLS, "anchor": "y", "automargin": True},
        xaxis_gridcolor=palette.line,
    )  # fmt: skip
    fig.update_yaxes(**token_axis(written, plain(axes[0]), highlighted, palette.accent))
    fig.update_yaxes(range=[rows - 0.5, -0.5], ticks="")  # the first token on top
    frame(fig, (0, columns - 1), (highlighted, highlighted), palette.accent, 3, xref="x2")
    for row, own in enumerate(spelled):
        for column in (each for each in own if contributions[row, each] >= 0.005):
            frame(fig, (column, column), (row, row), palette.ink, 2, xref="x2")
    strongest = int(np.argmax(contributions[highlighted]))
    say(fig, told[highlighted], plain(f"{source[strongest]}: {brief(contributions[highlighted, strongest])}"))
    return fig


def brief(share: float) -> str:
    """A share in whole percent, as there is room for: never 0 % or 100 % where it is neither."""
    if 0 < share < 0.005 or share in (0, 1):
        return percent(float(share))
    return ">99 %" if share >= 0.995 else f"{100 * share:.0f} %"
