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
    flows: Sequence[Ribbon], labels: Sequence[Label], columns: Mapping[float, str], *, title: str, span: tuple[float, float],
    rows: float, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """All flows from the right to the left.

    Args:
        columns: what stands under some of the columns.
        span: the first and the last column, with room for words at both ends.
        rows: how many there are.
    """
    row = ROW if rows <= FEW else CLOSE
    fig = figure(palette, title=title, height=round(row * rows) + 100)
    leaves, arrives = _offsets(flows, WHOLE / row)
    shapes = []
    for at, flow in enumerate(flows):
        (x1, y1), (x0, y0), half = flow.start, flow.end, flow.share * WHOLE / row / 2
        top, bottom, middle = y1 + leaves[at], y0 + arrives[at], (x0 + x1) / 2
        path = (
            f"M {x1},{top - half} C {middle},{top - half} {middle},{bottom - half} {x0},{bottom - half} "
            f"L {x0},{bottom + half} C {middle},{bottom + half} {middle},{top + half} {x1},{top + half} Z"
        )
        look = {
            "fillcolor": palette.accent if flow.highlighted else palette.quiet,
            "opacity": 0.55,
            "line": {"width": 0},
            "layer": "below",
        }
        shapes.append({"type": "path", "path": path, **look})
    for x, y, through in _nodes(flows):
        half = through * WHOLE / row / 2
        node = {"x0": x, "x1": x, "y0": y - half, "y1": y + half, "line": {"color": palette.ink, "width": 4}}
        shapes.append({"type": "line", **node})
    fig.update_layout(shapes=shapes)
    fig.add_scatter(
        x=[(flow.start[0] + flow.end[0]) / 2 for flow in flows],
        y=[(flow.start[1] + leaves[at] + flow.end[1] + arrives[at]) / 2 for at, flow in enumerate(flows)],
        mode="markers", marker={"size": 12, "opacity": 0}, hovertext=[plain(flow.hover) for flow in flows],
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
    say(fig, *(plain(flow.hover) for flow in sorted(flows, key=lambda flow: -flow.share)[:6]))
    return fig


def _offsets(flows: Sequence[Ribbon], whole: float) -> tuple[list[float], list[float]]:
    """How far from the middle of its place each flow leaves and arrives, in rows: side by side, in the order of the other ends.

    Args:
        whole: how many rows wide all that flows is.
    """
    found: tuple[list[float], list[float]] = ([0.0] * len(flows), [0.0] * len(flows))
    for offsets, here, there in ((found[0], "start", "end"), (found[1], "end", "start")):
        at: dict[Place, list[int]] = defaultdict(list)
        for index, flow in enumerate(flows):
            at[getattr(flow, here)].append(index)
        for meeting in at.values():
            meeting.sort(key=lambda index: getattr(flows[index], there)[1])
            top = -sum(flows[index].share for index in meeting) / 2
            for index in meeting:
                offsets[index] = (top + flows[index].share / 2) * whole
                top += flows[index].share
    return found


def _nodes(flows: Sequence[Ribbon]) -> list[tuple[float, float, float]]:
    """Every place with what goes through it, as far as it is drawn."""
    comes, goes = defaultdict[Place, float](float), defaultdict[Place, float](float)
    for flow in flows:
        comes[flow.end] += flow.share
        goes[flow.start] += flow.share
    return [(*place, max(comes[place], goes[place])) for place in {**comes, **goes}]
