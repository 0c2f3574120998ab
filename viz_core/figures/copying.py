"""What is copied at each step, and from where: a row for each written piece, a column for each source piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import PRINTED, Floats, cell_height, click_targets, frame, print_values, thin_columns, thin_rows
from viz_core.figures.base import FONT, figure, percent, plain, token_axis
from viz_core.figures.described import say
from viz_core.figures.palette import LIGHT, Palette, scale

BARS, CELLS = (0.0, 0.2), (0.23, 1.0)
"""Where the two halves stand, as shares of the width."""


def copying_figure(
    written: Sequence[str],
    source: Sequence[str],
    shares: Floats,
    contributions: Floats,
    *,
    title: str,
    axes: tuple[str, str, str],
    hover: Sequence[str],
    lit: int,
    palette: Palette = LIGHT,
) -> go.Figure:
    """On the left the copied share of each written piece, on the right what each source piece gave to it.

    A click on a row hands back its index.

    Args:
        written, source: T and S labels; equal ones stay apart.
        shares: (T,), 0…1.
        contributions: (1 − p_gen) aᵢ, (T, S), 0…1.
        axes: titles of the rows, of the bars and of the cells.
        hover: of each row, as plain text.
        lit: the current row.
    """
    rows, columns = contributions.shape
    fig = figure(palette, title=title, height=max(300, min(34, cell_height(rows)) * rows + 160))
    colours = [palette.accent if row == lit else palette.quiet for row in range(rows)]
    shown = rows <= 24
    fig.add_bar(
        x=shares, y=list(range(rows)), orientation="h", width=0.7, hoverinfo="skip", marker_color=colours, marker_line_width=0,
        text=[brief(share) if share >= 0.005 else "" for share in shares] if shown else None, textposition="outside",
        textangle=0, constraintext="none", textfont={"size": FONT, "color": palette.ink}, cliponaxis=False,
    )  # fmt: skip
    tones: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    gap = 2 if max(rows, columns) <= 40 else 0
    fig.add_heatmap(z=contributions, xaxis="x2", xgap=gap, ygap=gap, hoverinfo="skip", showscale=False, **tones)
    if max(rows, columns) <= 2 * PRINTED and rows <= 24:
        texts = [[brief(value).removesuffix(" %") if value >= 0.005 else "" for value in line] for line in contributions]
        before = len(fig.data)
        print_values(fig, contributions, texts, **tones)
        for heat in fig.data[before:]:
            heat.xaxis = "x2"
    told = [plain(text) for text in hover]
    places = [(row, column) for row in range(rows) for column in range(columns)] if rows * columns <= 1_000 else []
    click_targets(fig, [c for _, c in places], [r for r, _ in places], [[r] for r, _ in places], [told[r] for r, _ in places])
    fig.data[-1].xaxis = "x2"
    slant = sum(map(len, source)) > 55 or columns > 10
    columns_axis = token_axis(source, plain(axes[2]), None, palette.k_text, thin=thin_columns(columns))
    columns_axis |= {"ticks": "", "tickangle": -40 if slant else 0, "fixedrange": True, "showgrid": False, "zeroline": False}
    fig.update_layout(
        xaxis={"domain": BARS, "range": [0, 1.5], "tickvals": [0, 1], "ticktext": ["0", "100 %"], "showgrid": True},
        xaxis_title_text=plain(axes[1]),
        xaxis2={**columns_axis, "domain": CELLS, "anchor": "y", "automargin": True},
        xaxis_gridcolor=palette.line,
    )  # fmt: skip
    fig.update_yaxes(**token_axis(written, plain(axes[0]), lit, palette.accent, thin=thin_rows(rows)))
    fig.update_yaxes(range=[rows - 0.5, -0.5], ticks="")  # the first piece on top
    frame(fig, (0, columns - 1), (lit, lit), palette.accent, 3, xref="x2")
    strongest = int(np.argmax(contributions[lit]))
    say(fig, told[lit], plain(f"{source[strongest]}: {brief(contributions[lit, strongest])}"))
    return fig


def brief(share: float) -> str:
    """A share in whole percent, as there is room for: never 0 % or 100 % where it is neither."""
    if 0 < share < 0.005 or share in (0, 1):
        return percent(float(share))
    return ">99 %" if share >= 0.995 else f"{100 * share:.0f} %"
