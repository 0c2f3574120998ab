"""The way through a forward pass: its parts in a line, and below it the calls of the part in which one stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import click_targets
from viz_core.figures.base import FONT, annotate, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

ROW, REACH = 44, 40
"""Pixels of a row; and from the middle of a box to where a click still means it."""
FEWEST = 12
"""A row is at least so many boxes wide, so that few of them are no banners."""


@dataclass(frozen=True)
class Box:
    """One box.

    Attributes:
        name: what stands in it.
        at: index of the call that a click goes to.
        hover: plain text.
        role: `q`, `k`, `v`, `output`, or none.
        highlighted: whether one stands here.
    """

    name: str
    at: int
    hover: str
    role: str = ""
    highlighted: bool = False


def call_map(
    parts: Sequence[Box], rows: Sequence[tuple[str, Sequence[Box]]], *, names: tuple[str, str], palette: Palette = LIGHT
) -> go.Figure:
    """Boxes in the order of computing; a click on one hands back the index of its call.

    Args:
        parts: source, each layer, memory, target, …: the first row, over the whole width.
        rows: name and calls of each sub-layer of the part that is highlighted.
        names: of the first row, and of a row without a name.
    """
    lines = [(names[0], parts), *((name or names[1], boxes) for name, boxes in rows)]
    fig = figure(palette, height=ROW * len(lines) + 2)
    notes, told, targets = [], [], []
    for line, (_, boxes) in enumerate(lines):
        y = line + 0.15 * (line > 0)
        size = 1 / max(len(boxes), FEWEST)
        for column, box in enumerate(boxes):
            left = column * size
            ink = palette.role_text(box.role) if box.role else palette.ink
            edge = {"color": palette.accent if box.highlighted else palette.line, "width": 4 if box.highlighted else 1}
            fill = palette.words[5] if box.highlighted else palette.panel
            sides = {"x0": left + 0.003, "x1": left + size - 0.003}
            fig.add_shape(type="rect", **sides, y0=y - 0.4, y1=y + 0.4, line=edge, fillcolor=fill, layer="below")
            text = f"<b>{plain(box.name)}</b>" if box.highlighted else plain(box.name)
            notes.append({"x": left + size / 2, "y": y, "text": text, "showarrow": False, "font": {"size": FONT - 1, "color": ink}})
            targets.append((left + size / 2, y, box.at, plain(box.hover)))
            told += [plain(box.hover)] * box.highlighted
    annotate(fig, notes)
    x, ys, at, hover = zip(*targets, strict=True)
    click_targets(fig, x, ys, [[index] for index in at], list(hover))
    places = [line + 0.15 * (line > 0) for line in range(len(lines))]
    fig.update_xaxes(visible=False, range=[0, 1])
    fig.update_yaxes(
        tickvals=places, ticktext=[plain(name) for name, _ in lines], ticks="", showline=False, range=[places[-1] + 0.5, -0.5]
    )
    say(fig, *told)
    fig.update_layout(hoverdistance=REACH, margin={"t": 4, "b": 2})
    return fig
