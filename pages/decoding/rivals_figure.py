"""What neighbouring places want before they know of each other, beside what one of them wants when it knows."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz_core.figures.attention import Floats
from viz_core.figures.base import FONT, figure, percent, plain, token_axis
from viz_core.figures.described import say
from viz_core.figures.palette import LIGHT, Palette


def rivals_figure(
    tokens: Sequence[str],
    series: Sequence[tuple[str, Floats]],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> go.Figure:
    """The probabilities of a few tokens, side by side, on one fixed axis from 0 to 100 %.

    Args:
        series: (name, (tokens,)): the two places, and the second one when it knows all others.
        axes: titles of the tokens' axis (down) and of the probabilities' (across).
        highlighted: the token that both want.
    """
    fig = figure(palette, title=title, height=190 + 26 * len(series) * len(tokens))
    looks = ((palette.accent, ""), (palette.k, ""), (palette.k, "/"))
    says = []
    for (name, values), (colour, pattern) in zip(series, looks, strict=False):
        hover = [f"{plain(name)}: «{plain(token)}» {percent(float(v))}" for token, v in zip(tokens, values, strict=True)]
        says.append(hover[highlighted])
        marker = {"color": colour, "line": {"width": 0}}
        marker |= {"pattern": {"shape": pattern, "fgcolor": palette.surface, "size": 8, "fillmode": "overlay"}}
        fig.add_bar(
            y=list(range(len(tokens))), x=values, orientation="h", name=plain(name), marker=marker,
            hovertext=hover, hovertemplate="%{hovertext}<extra></extra>", text=[percent(float(v)) for v in values],
            textposition="outside", textfont={"size": FONT - 2}, constraintext="none", cliponaxis=False,
        )  # fmt: skip
    say(fig, *says)
    down = token_axis(tokens, axes[0], highlighted, palette.accent)
    fig.update_yaxes(**down | {"range": down["range"][::-1]})
    across = {"range": [0, 1.12], "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"}
    fig.update_xaxes(title={"text": axes[1]}, showgrid=True, gridcolor=palette.line, **across)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}, "traceorder": "normal"}
    fig.update_layout(barmode="group", bargap=0.2, showlegend=True, legend=legend)
    return fig
