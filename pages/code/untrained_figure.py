"""One number at each step for two models beside each other, with a line at the value that means knowing nothing."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz_core.figures.attention import Floats, click_targets, thin_columns
from viz_core.figures.base import FONT, figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette


def steps_beside(
    labels: Sequence[str],
    pairs: tuple[Floats, Floats],
    *,
    names: tuple[str, str],
    line: tuple[float, str],
    hover: Sequence[str],
    title: str,
    axes: tuple[str, str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> go.Figure:
    """Two bars for each step; a click on a step hands back its index.

    Args:
        pairs: (T,) each.
        names: of the two, for the legend.
        line: a value, and what is written at it.
        hover: of each step, as plain text.
        axes: titles of the steps and of the values.
        highlighted: the current step.
    """
    fig = figure(palette, title=title, height=430)
    n = len(labels)
    looks = ((palette.accent, ""), (palette.quiet, "/"))
    for name, values, (colour, pattern) in zip(names, pairs, looks, strict=True):
        marker = {"color": colour, "line": {"width": 0}}
        marker |= {"pattern": {"shape": pattern, "fgcolor": palette.surface, "size": 8, "fillmode": "overlay"}}
        fig.add_bar(x=list(range(n)), y=values, name=plain(name), hoverinfo="skip", marker=marker)
    fig.add_hline(y=line[0], line={"color": palette.k_text, "width": 3, "dash": "dash"})
    at = {"x": 1, "xref": "paper", "xanchor": "right", "y": line[0], "yanchor": "bottom", "showarrow": False}
    fig.add_annotation(text=plain(line[1]), font={"size": FONT, "color": palette.k_text}, **at)
    highest = max(line[0], *(float(values.max()) for values in pairs))
    told = [plain(text) for text in hover]
    click_targets(fig, list(range(n)), [highest / 2] * n, [[i] for i in range(n)], told)
    fig.data[-1].showlegend = False
    fig.update_xaxes(
        **token_axis(labels, axes[0], highlighted, palette.accent, thin=thin_columns(n)), tickangle=-40 if n > 10 else 0
    )
    fig.update_yaxes(title={"text": plain(axes[1])}, range=[0, 1.14 * highest], showgrid=True, gridcolor=palette.line)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
    fig.update_layout(barmode="group", bargap=0.25, showlegend=True, legend=legend, hoverdistance=120, hovermode="closest")
    say(fig, told[highlighted], plain(line[1]))
    return fig
