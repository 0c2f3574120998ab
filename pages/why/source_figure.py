"""One question about every source word, and what several ways of asking it answer, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import Floats, cell_height, signed, thin_rows
from viz_core.figures.base import FONT, annotate, figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette

PRINTED = 24
"""Up to so many words each bar has its number, where that is not 0.00."""
GAP = 0.03
"""Between two answers, as a share of the width."""


@dataclass(frozen=True)
class Answer:
    """What one way of asking says of each word.

    Attributes:
        name: stands above its bars.   unit: under them.
        values: (K,), signed.
        best: the word that it names, from 0; None where it names none.
    """

    name: str
    unit: str
    values: Floats
    best: int | None


def source_bars(words: Sequence[str], answers: Sequence[Answer], *, title: str, axis: str, palette: Palette = LIGHT) -> go.Figure:
    """A row for each word, a column for each answer; the word that an answer names is in the accent colour.

    Args:
        words: K of them; equal words stay apart.
        axis: title of the rows.
    """
    rows, share = len(words), (1 - GAP * (len(answers) - 1)) / len(answers)
    fig = figure(palette, title=title, height=max(28, min(40, cell_height(rows))) * rows + 150 if rows <= 24 else 14 * rows + 150)
    heads, said = [], []
    for column, answer in enumerate(answers):
        start = column * (share + GAP)
        name = "x" if column == 0 else f"x{column + 1}"
        colours = [palette.accent if row == answer.best else palette.quiet for row in range(rows)]
        numbers = [signed(float(value)) for value in answer.values]
        shown = [f"{value:.2f}".replace("-", "−") if abs(value) >= 0.005 else "" for value in answer.values]
        hover = [f"{plain(answer.name)}, «{plain(word)}»: {text}" for word, text in zip(words, numbers, strict=True)]
        fig.add_bar(
            x=answer.values, y=list(range(rows)), xaxis=name, orientation="h", width=0.7, hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>", text=shown if rows <= PRINTED else None, textposition="outside",
            textangle=0, constraintext="none", textfont={"size": FONT, "color": palette.ink}, cliponaxis=False,
            marker={"color": colours, "line": {"width": 0}},
        )  # fmt: skip
        if answer.best is not None:
            said.append(hover[answer.best])
        low, high = min(0.0, float(answer.values.min())), max(0.0, float(answer.values.max()))
        span = max(high - low, 1e-9)
        fig.update_layout({
            f"xaxis{name[1:]}": {
                "domain": [start, start + share], "anchor": "y", "title": {"text": plain(answer.unit)}, "fixedrange": True,
                "range": [low - (0.34 if low else 0.02) * span, high + 0.34 * span], "showgrid": True, "gridcolor": palette.line,
                "zeroline": True, "zerolinecolor": palette.quiet, "nticks": 4,
            }
        })  # fmt: skip
        heads.append({
            "text": f"<b>{plain(answer.name)}</b>", "x": start, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "left",
            "yanchor": "bottom", "showarrow": False, "font": {"size": FONT, "color": palette.ink},
        })  # fmt: skip
    fig.update_yaxes(**token_axis(words, plain(axis), thin=1 if rows <= 24 else thin_rows(rows)), ticks="")
    fig.update_yaxes(range=[rows - 0.5, -0.5])
    fig.update_layout(margin_t=56)
    annotate(fig, heads)
    say(fig, *said)
    return fig
