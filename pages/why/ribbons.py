"""A flow through places in columns and rows, as in a Sankey diagram: ribbons as wide as what they carry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.base import FONT, annotate, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

ROW, CLOSE = 32, 26
"""Pixels of a row: of few, and of more than FEW."""
FEW = 14
WHOLE = 84.0
"""Pixels of all that flows."""

Place = tuple[float, float]
"""Column and row, rows from above; the unit of a column is free."""


@dataclass(frozen=True)
class Ribbon:
    """From a place on the right to one on its left, with its share of all that flows, 0…1, and what it says.

    Attributes:
        highlighted: in the accent colour.
    """

    start: Place
    end: Place
    share: float
    hover: str
    highlighted: bool = False


@dataclass(frozen=True)
class Label:
    """A word at a place: left or right of it."""

    text: str
    place: Place
    side: str
    highlighted: bool = False


def ribbons(
    ways: Sequence[Ribbon],
    labels: Sequence[Label],
    columns: Mapping[float, str],
    *,
    title: str,
    span: tuple[float, float],
    rows: float,
    palette: Palette = LIGHT,
) -> go.Figure:
    """All ways from the right to the left.

    Args:
        columns: what stands under some of the columns.
        span: the first and the last column, with room for words at both ends.
        rows: how many there are.
    """
    row = ROW if rows <= FEW else CLOSE
    fig = figure(palette, title=title, height=round(row * rows) + 100)
    leaves, arrives = _offsets(ways, WHOLE / row)
    shapes = []
    for at, way in enumerate(ways):
        (x1, y1), (x0, y0), half = way.start, way.end, way.share * WHOLE / row / 2
        top, bottom, middle = y1 + leaves[at], y0 + arrives[at], (x0 + x1) / 2
        path = (
            f"M {x1},{top - half} C {middle},{top - half} {middle},{bottom - half} {x0},{bottom - half} "
            f"L {x0},{bottom + half} C {middle},{bottom + half} {middle},{top + half} {x1},{top + half} Z"
        )
        look = {
            "fillcolor": palette.accent if way.highlighted else palette.quiet,
            "opacity": 0.55,
            "line": {"width": 0},
            "layer": "below",
        }
        shapes.append({"type": "path", "path": path, **look})
    for x, y, through in _nodes(ways):
        half = through * WHOLE / row / 2
        node = {"x0": x, "x1": x, "y0": y - half, "y1": y + half, "line": {"color": palette.ink, "width": 4}}
        shapes.append({"type": "line", **node})
    fig.update_layout(shapes=shapes)
    fig.add_scatter(
        x=[(way.start[0] + way.end[0]) / 2 for way in ways],
        y=[(way.start[1] + leaves[at] + way.end[1] + arrives[at]) / 2 for at, way in enumerate(ways)],
        mode="markers", marker={"size": 12, "opacity": 0}, hovertext=[plain(way.hover) for way in ways],
    )  # fmt: skip
    notes = [
        {
            "text": f"<b>{plain(label.text)}</b>" if label.highlighted else plain(label.text),
            "x": label.place[0], "y": label.place[1],
            "xanchor": "right" if label.side == "left" else "left", "xshift": -8 if label.side == "left" else 8,
            "font": {"size": FONT + 2 * label.highlighted, "color": palette.accent if label.highlighted else palette.ink},
        }
        for label in labels
    ]  # fmt: skip
    notes += [
        {"text": plain(name), "x": x, "y": rows - 0.1, "font": {"color": palette.quiet}}
        for x, name in columns.items()
    ]  # fmt: skip
    annotate(fig, notes)
    fig.update_xaxes(visible=False, range=list(span))
    fig.update_yaxes(visible=False, range=[rows + 0.4, -0.6])
    say(fig, *(plain(way.hover) for way in sorted(ways, key=lambda way: -way.share)[:6]))
    return fig


def _offsets(ways: Sequence[Ribbon], whole: float) -> tuple[list[float], list[float]]:
    """How far from the middle of its place each way leaves and arrives, in rows: side by side, in the order of the other ends.

    Args:
        whole: how many rows wide all that flows is.
    """
    found: tuple[list[float], list[float]] = ([0.0] * len(ways), [0.0] * len(ways))
    for offsets, here, there in ((found[0], "start", "end"), (found[1], "end", "start")):
        at: dict[Place, list[int]] = defaultdict(list)
        for index, way in enumerate(ways):
            at[getattr(way, here)].append(index)
        for meeting in at.values():
            meeting.sort(key=lambda index: getattr(ways[index], there)[1])
            top = -sum(ways[index].share for index in meeting) / 2
            for index in meeting:
                offsets[index] = (top + ways[index].share / 2) * whole
                top += ways[index].share
    return found


def _nodes(ways: Sequence[Ribbon]) -> list[tuple[float, float, float]]:
    """Every place with what goes through it, as far as it is drawn."""
    comes, goes = defaultdict[Place, float](float), defaultdict[Place, float](float)
    for way in ways:
        comes[way.end] += way.share
        goes[way.start] += way.share
    return [(*place, max(comes[place], goes[place])) for place in {**comes, **goes}]
