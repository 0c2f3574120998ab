"""The maps of all heads of one attention: by role, a hue for each, and by importance. Layers down, heads across."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go

from viz_core.analysis.roles.rule import SHARE
from viz_core.analysis.roles.table import NONE
from viz_core.figures.attention import Floats, click_cells, frame
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette, Rgb, between, mixed, readable, rgb

HUES = ("alignment", "near", "self", "previous", "next", "repetition", "word", "punctuation", "first", "last")
"""The roles, in the order of the palette's `head_roles`."""
WEAKEST, FULL = SHARE - 0.05, 0.75
"""The shares between which a colour grows from a trace of its hue, which must still be seen, to all of it."""
TRACE = 0.2
"""Of the hue, at the weakest share."""
LEGEND = 0.6
"""The share whose colour the legend shows."""
ROW, LINE = 63, 8
"""Pixels of a row with two lines of text, and of each line more."""
FITS = 13
"""Letters of a name that stand on one line of a cell; each word of a longer one has its own line."""
SIDE = 0.95
"""Of a cell's place, its sides; the rest is a gap."""


def role_map(
    roles: Sequence[Sequence[str]], shares: Floats, hover: Sequence[Sequence[str]], *, named: Callable[[str], str],
    percent: Callable[[float], str], title: str, axes: tuple[str, str], highlighted: tuple[int, int], palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """A cell for each head: its hue is the role, its strength the share; a click hands back [layer, head].

    Args:
        roles: (L, h), names of measures; NONE is neutral.
        shares: (L, h), the share of its attention that a head gives to what its role names.
        hover: of each cell, as plain text.
        named, percent: a role and a share as they are written.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the layer and head on display.
    """
    written = [
        [name_lines(named(role)) + [percent(float(share))] * (role != NONE) for role, share in zip(*pair, strict=True)]
        for pair in zip(roles, shares, strict=True)
    ]
    colours = [
        [role_colour(role, float(share), palette) for role, share in zip(*pair, strict=True)]
        for pair in zip(roles, shares, strict=True)
    ]
    fig = _cells(shares, colours, written, hover, title, axes, highlighted, palette)
    fig.update_traces(showlegend=False)
    counts = Counter(role for row in roles for role in row if role != NONE)
    for role, _ in counts.most_common():
        marker = {"symbol": "square", "size": 20, "color": _css(role_colour(role, LEGEND, palette))}
        fig.add_scatter(
            x=[None], y=[None], mode="markers", marker=marker, name=plain(named(role)), showlegend=True, hoverinfo="skip"
        )
    if counts:
        place = {"y": 0, "yanchor": "top", "itemclick": False, "itemdoubleclick": False}
        fig.update_layout(showlegend=True, legend=place, height=fig.layout.height + 36)
    return fig


def name_lines(name: str) -> list[str]:
    """The lines that a role's name takes in a cell."""
    return [name] if len(name) <= FITS else name.split()


def role_colour(role: str, share: float, palette: Palette) -> Rgb:
    """The colour of a head: the hue of its role, the farther from the page's ground the larger the share, 0…1."""
    if role == NONE:
        return rgb(palette.panel)
    strength = min(max((share - WEAKEST) / (FULL - WEAKEST), 0.0), 1.0)
    return between(rgb(palette.surface), rgb(palette.head_roles[HUES.index(role)]), TRACE + (1 - TRACE) * strength)


def importance_map(
    drops: Floats, written: Sequence[Sequence[Sequence[str]]], hover: Sequence[Sequence[str]], *, title: str, axes: tuple[str, str],
    highlighted: tuple[int, int], limit: float, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """A cell for each head, coloured by what is lost without it, on a scale centred on 0; a click hands back [layer, head].

    Args:
        drops: (L, h), signed.   limit: the end of the scale.
        written: the lines of each cell.   hover: of each cell. Both as plain text.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the layer and head on display.
    """
    colours = [[mixed(palette.diverging, (float(drop) / limit + 1) / 2) for drop in row] for row in drops]
    return _cells(drops, colours, written, hover, title, axes, highlighted, palette)


def _cells(
    values: Floats, colours: Sequence[Sequence[Rgb]], written: Sequence[Sequence[Sequence[str]]], hover: Sequence[Sequence[str]],
    title: str, axes: tuple[str, str], highlighted: tuple[int, int], palette: Palette,
) -> go.Figure:  # fmt: skip
    """Cells with lines of text. They are bars, because only in bars plotly makes a text smaller that would leave its cell."""
    layer, head = highlighted
    places = [(row, column) for row, line in enumerate(colours) for column in range(len(line))]
    lines = max(len(written[row][column]) for row, column in places)
    tall = ROW + LINE * max(0, lines - 2)
    fig = figure(palette, title=title, height=tall * len(colours) + 106)
    inks = [readable(colours[row][column]) for row, column in places]
    fig.add_bar(
        x=[column for _, column in places], base=[row - SIDE / 2 for row, _ in places], y=[SIDE] * len(places), width=SIDE,
        marker_color=[_css(colours[row][column]) for row, column in places], hoverinfo="skip", name="heads",
        customdata=values.ravel(),
        text=["<br>".join(map(plain, written[row][column])) for row, column in places], textposition="inside", textangle=0,
        insidetextanchor="middle", constraintext="inside", insidetextfont_color=inks,
    )  # fmt: skip
    hovers = [[plain(text) for text in row] for row in hover]
    click_cells(fig, hovers)
    frame(fig, (head, head), (layer, layer), palette.accent, 4)
    say(fig, hovers[layer][head])
    names: list[list[str]] = [[str(index + 1) for index in range(count)] for count in (len(colours), len(colours[0]))]
    unticked: dict[str, Any] = {"ticks": "", "showline": False}
    fig.update_xaxes(**token_axis(names[1], plain(axes[1])), side="top", title_standoff=0, **unticked)
    fig.update_yaxes(**token_axis(names[0], plain(axes[0]), down=True), **unticked)
    fig.update_layout(barmode="overlay", title_pad_t=0)
    return fig


def _css(colour: Rgb) -> str:
    return f"rgb({', '.join(f'{part:.0f}' for part in colour)})"
