"""A distribution over the whole vocabulary, most probable first, and where a cut goes through it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import Floats
from viz_core.figures.base import FONT, annotate, figure, percent, plain
from viz_core.figures.described import say
from viz_core.figures.palette import LIGHT, Palette

POINTS = 300
"""Of the curve, evenly far apart on its axis."""
LOWEST = 1e-9
"""Where the axis of probabilities ends."""
LEFT, RIGHT = (0.0, 0.43), (0.62, 0.86)
"""Of the width, for the curve and for the bars; the rest is for what stands behind a full bar."""


def cut_figure(
    labels: Sequence[str],
    ranks: Sequence[int],
    model: Floats,
    tempered: Floats,
    after: Floats,
    count: int,
    *,
    title: str,
    names: tuple[str, str, str],
    axes: tuple[str, str, str],
    ends: tuple[str, str, str],
    drawn: int | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """On the left the whole vocabulary by rank, what stays and what is cut; on the right its most probable tokens before and after.

    Args:
        labels, ranks: of the tokens that have bars, K; ranks from 0.
        model, tempered, after: probabilities of all, by rank, (V,): as the model gave them, with the temperature, and with the cut.
        count: how many stay.
        names: of these three.
        axes: titles of rank and of probability on the left, of probability on the right.
        ends: what stands over what stays and over what is cut, in one line or more; and the label of the last row, all others
            together.
        drawn: index among the K of the token that was drawn.
    """
    total = len(model)
    fig = figure(palette, title=title, height=34 * (len(labels) + 1) + 150)
    at = np.unique(np.round(np.geomspace(1, total, POINTS)).astype(int))
    curve = np.maximum(tempered[at - 1], LOWEST)
    meet = float(np.sqrt(np.maximum(tempered[count - 1 : count + 1], LOWEST).prod()))
    edge = [(count + 0.5, meet)] if 0 < count < total else []  # where both areas meet
    points = list(zip(at.tolist(), curve.tolist(), strict=True))
    stays, goes = [*(one for one in points if one[0] <= count), *edge], [*edge, *(one for one in points if one[0] > count)]
    for area, colour, fill in ((stays, palette.output, 0.75), (goes, palette.quiet, 0.25)):
        if area:
            x, y = zip(*area, strict=True)
            fig.add_scatter(
                x=x, y=y, mode="lines", line={"color": colour, "width": 3}, fill="tozeroy", fillcolor=_faint(colour, fill),
                hoverinfo="skip",
            )  # fmt: skip
    fig.add_scatter(
        x=at, y=np.maximum(model[at - 1], LOWEST), mode="lines", line={"color": palette.ink, "width": 2, "dash": "dot"},
        hovertext=[f"{rank:,}. {percent(float(model[rank - 1]))}" for rank in at], hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    if count < total:
        line = np.log10(count + 0.5)
        fig.add_shape(
            type="line", x0=count + 0.5, x1=count + 0.5, y0=0, y1=1, yref="y domain", line={"color": palette.ink, "width": 3}
        )
        notes = [_note(ends[0], line, "right", palette)] if line > 1.2 else []
        annotate(fig, [*notes, _note(ends[1], line, "left", palette)])
    rows = [*labels, ends[2]]
    before, now = ([*map(float, x[list(ranks)]), float(np.delete(x, ranks).sum())] for x in (tempered, after))
    written = [f"{percent(b)} → {percent(a)}" if a != b else percent(b) for b, a in zip(before, now, strict=True)]
    hover = [f"{plain(label)}: {text}" for label, text in zip(rows, written, strict=True)]
    marker = {"color": [palette.output if value else palette.masked for value in now], "line": {"width": 0}}
    bars = {"y": list(range(len(rows))), "orientation": "h", "xaxis": "x2", "yaxis": "y2", "width": 0.62}
    clear = "rgba(0,0,0,0)"
    fig.add_bar(x=now, **bars, marker=marker, hovertext=hover, hovertemplate="%{hovertext}<extra></extra>")
    fig.add_bar(x=before, **bars, marker={"color": clear, "line": {"width": 2, "color": palette.quiet}}, hoverinfo="skip")
    fig.add_bar(
        x=[max(pair) for pair in zip(before, now, strict=True)], **bars, marker={"color": clear}, text=written,
        textposition="outside", textangle=0, constraintext="none", cliponaxis=False, hoverinfo="skip",
        textfont={"size": FONT, "color": palette.ink},
    )  # fmt: skip
    ticks = [f"<b>{plain(label)}</b>" if row == drawn else plain(label) for row, label in enumerate(rows)]
    powers, marks = [1e-9, 1e-6, 1e-3, 1.0], [0.0, 0.5, 1.0]
    fig.update_layout(
        barmode="overlay",
        margin_t=56,
        xaxis={
            "type": "log", "range": [-0.05, float(np.log10(total)) + 0.05], "domain": LEFT, "title": {"text": plain(axes[0])},
            "tickvals": [v for v in (1, 10, 100, 1000, 10000) if v <= total], "tickformat": ",",
        },
        yaxis={
            "type": "log", "range": [float(np.log10(LOWEST)), 0.1], "title": {"text": plain(axes[1])}, "tickvals": powers,
            "ticktext": [percent(v) for v in powers],
        },
        xaxis2={
            "domain": RIGHT, "anchor": "y2", "range": [0, 1], "fixedrange": True, "tickvals": marks,
            "ticktext": [percent(v) for v in marks], "title": {"text": plain(axes[2])}, "showgrid": True, "gridcolor": palette.line,
        },
        yaxis2={
            "anchor": "x2", "range": [len(rows) - 0.4, -0.6], "tickvals": list(range(len(rows))), "ticktext": ticks,
            "fixedrange": True, "showgrid": False, "zeroline": False, "ticks": "", "automargin": True,
        },
    )  # fmt: skip
    above = {"y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False}
    above |= {"font": {"size": FONT, "color": palette.ink}}
    annotate(fig, [
        {"text": f"<b>{plain(names[0])}</b> · {plain(names[1])}", "x": LEFT[0], **above},
        {"text": plain(names[2]), "x": RIGHT[0] - 0.1, **above},
    ])  # fmt: skip
    say(fig, *hover[:3])
    return fig


def _note(text: str, edge: float, side: str, palette: Palette) -> dict[str, object]:
    """Words beside the cut, on the side away from it."""
    return {
        "text": "<br>".join(map(plain, text.split("\n"))), "align": "left", "x": edge, "y": 0.98, "xref": "x", "yref": "y domain",
        "yanchor": "top", "showarrow": False, "xanchor": side,
        "xshift": 8 if side == "left" else -8, "font": {"size": FONT, "color": palette.ink},
    }  # fmt: skip


def _faint(colour: str, share: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"
