"""The nearest neighbours of a token, and a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import enumerated

WIDTH, HEIGHT = 800, 540  # px of a map on a small screen; labels that do not touch there touch nowhere
DOT, TALL = 8, 14  # px from the middle of a dot, and of a label, to its edge
GAPS = (10, 35, 65, 100, 140, 190)  # px between a point and its label; beyond the first, a line connects them


def cosine_bars(labels: Sequence[str], cosines: Sequence[float], *, title: str, axis: str, palette: Palette = LIGHT) -> Figure:
    """The tokens nearest to one, the nearest on top, on a fixed axis that ends at 1."""
    fig = figure(palette, title=title, height=42 * len(labels) + 150)
    fig.add_bar(
        x=list(cosines), y=list(range(len(labels))), orientation="h", width=0.72, hoverinfo="skip",
        marker={"color": palette.accent}, text=[signed(c) for c in cosines], textposition="outside", constraintext="none",
    )  # fmt: skip
    say(fig, "; ".join(f"«{plain(label)}» {signed(c)}" for label, c in zip(labels, cosines, strict=True)))
    low = min([0.0, *cosines])
    fig.update_xaxes(title={"text": plain(axis)}, range=[low, 1], showgrid=True, dtick=0.2)
    fig.update_yaxes(
        tickmode="array", tickvals=list(range(len(labels))), ticktext=[plain(label) + " " for label in labels],
        range=[len(labels) - 0.4, -0.6], tickfont={"size": FONT + 2},
    )  # fmt: skip
    return fig


def map_figure(
    at: Floats, labels: Sequence[str], owner: Sequence[int], *, axes: tuple[str, str],
    highlighted: int | None, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Tokens in a plane: those of the sentence on a ground of their own, each connected with its neighbours by a thin line.

    The label of a neighbour is drawn only where it touches no other; every point names its token when the pointer is over it.

    Args:
        at: places, (n, 2).
        owner: for each token, the index of the one whose neighbour it is; its own index for a token of the sentence.
        axes: titles across and up.
        highlighted: index of the picked token.
    """
    fig = figure(palette, height=HEIGHT + 80)
    n = len(labels)
    spread = np.maximum(np.ptp(at, axis=0), 1e-9) if n else np.ones(2)
    low, high = (at.min(0) - 0.1 * spread, at.max(0) + 0.1 * spread) if n else (-spread, spread)
    own = [owner[i] == i for i in range(n)]
    say(fig, enumerated(f"«{plain(label)}»" for label, mine in zip(labels, own, strict=True) if mine))
    links: list[dict[str, Any]] = []
    for (x, y), parent in zip(at, owner, strict=True):
        thick = parent == highlighted
        line = {"color": palette.accent if thick else palette.line, "width": 3 if thick else 2}
        links.append({"type": "line", "x0": at[parent, 0], "y0": at[parent, 1], "x1": x, "y1": y, "layer": "below", "line": line})
    fig.add_shapes([link for link, mine in zip(links, own, strict=True) if not mine])
    marker = {
        "size": [16 if mine else 10 for mine in own], "opacity": 1,
        "color": [palette.accent if i == highlighted else palette.ink if own[i] else palette.quiet for i in range(n)],
    }  # fmt: skip
    fig.add_scatter(x=at[:, 0], y=at[:, 1], mode="markers", hovertext=[plain(label) for label in labels], marker=marker)
    scale_px = np.array([WIDTH, HEIGHT]) / (high - low)
    first = sorted(range(n), key=lambda i: (i != highlighted, not own[i], owner[i] != highlighted))
    notes: list[dict[str, Any]] = []
    for i, (dx, dy) in _places((at - low) * scale_px, labels, first, own).items():
        loud, text = own[i] or owner[i] == highlighted, plain(labels[i])
        font = {"size": FONT + 2 if own[i] else FONT, "color": palette.ink if loud else palette.quiet}
        far = max(abs(dx) - _half(labels[i], own[i]), abs(dy) - TALL) > GAPS[0] + 1
        notes.append(
            {
                "x": at[i, 0], "y": at[i, 1], "ax": dx, "ay": -dy, "text": f"<b>{text}</b>" if own[i] else text, "font": font,
                "borderpad": 1, "borderwidth": 2, "bordercolor": palette.accent if i == highlighted else "rgba(0,0,0,0)",
                "bgcolor": palette.chip if own[i] else "rgba(0,0,0,0)", "showarrow": True, "arrowhead": 0, "arrowwidth": 1,
                "arrowcolor": palette.quiet if far else "rgba(0,0,0,0)",
            }
        )  # fmt: skip
    fig.add_annotations(notes)
    bare = {"showticklabels": False, "ticks": "", "zeroline": True, "zerolinecolor": palette.line, "showline": True, "mirror": True}
    fig.update_xaxes(title={"text": plain(axes[0])}, range=[low[0], high[0]], **bare)
    fig.update_yaxes(title={"text": plain(axes[1])}, range=[low[1], high[1]], **bare)
    return fig


def _places(points: Floats, labels: Sequence[str], order: Sequence[int], own: Sequence[bool]) -> dict[int, tuple[float, float]]:
    """Where each label goes, in px from its point, the most important first.

    That of a token of the sentence is always drawn, where nothing is free at the place where it covers least. Any other for which
    there is no room is left out.
    """
    taken = np.hstack([points - DOT, points + DOT])  # boxes (left, low, right, high), the first ones of the points
    places: dict[int, tuple[float, float]] = {}
    for i in order:
        half, (x, y) = _half(labels[i], own[i]), points[i]
        boxes = {}
        for gap in GAPS if own[i] else GAPS[:1]:
            side, up = half + gap, TALL + gap
            for dx, dy in ((0, up), (0, -up), (side, 0), (-side, 0), (side, up), (-side, up), (side, -up), (-side, -up)):
                box = (x + dx - half, y + dy - TALL, x + dx + half, y + dy + TALL)
                if box[0] > 0 and box[2] < WIDTH and box[1] > 0 and box[3] < HEIGHT:
                    boxes[dx, dy] = box
        others = np.delete(taken, i, axis=0)
        covered = {place: _overlap(np.array(box), others) for place, box in boxes.items()}
        best = min(covered, key=covered.__getitem__, default=None)
        if best is not None and (own[i] or not covered[best]):
            places[i] = best
            taken = np.vstack([taken, boxes[best]])
    return places


def _half(label: str, own: bool) -> float:
    """Half the width of a label in px; those of the sentence's tokens are larger, bold and framed."""
    return (5.8 if own else 4.8) * max(len(label), 1) + 4


def _overlap(box: Floats, others: Floats) -> float:
    """The areas that a box, (4,), shares with others, (n, 4), in sum."""
    sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])  # (n, 2)
    return float(np.maximum(sides, 0).prod(1).sum())
