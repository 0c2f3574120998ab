"""Where queries, keys and values come from: the streams on the left, ribbons in the roles' colours to Q, K and V."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette, between, readable, rgb

PLACES = {"q": 2.5, "k": 1.5, "v": 0.5}  # middle of each role's lane, from below


def sources_figure(
    streams: Sequence[tuple[str, str, str]],
    feeds: dict[str, int],
    results: dict[str, str],
    *,
    highlighted: str | None = None,
    palette: Palette = LIGHT,
) -> go.Figure:
    """One or two streams feeding Q, K and V.

    Args:
        streams: (name, what it holds, "encoder" or "decoder") from above.
        feeds: q, k, v → index of its stream.
        results: q, k, v → what comes out, such as "Q  8 × 32".
        highlighted: the role in full colour; the others are faint.
    """
    fig = figure(palette, height=230)
    ways = {role: f"{plain(streams[index][0])} × W {role.upper()} = {plain(results[role])}" for role, index in feeds.items()}
    say(fig, *(ways.values() if highlighted is None else [ways[highlighted]]))
    for index, (name, holds, side) in enumerate(streams):
        lanes = [PLACES[role] for role, stream in feeds.items() if stream == index]
        low, high = min(lanes) - 0.44, max(lanes) + 0.44
        tint = palette.encoder if side == "encoder" else palette.decoder
        fig.add_shape(type="rect", x0=0, x1=0.52, y0=low, y1=high, fillcolor=tint, line={"color": palette.quiet, "width": 1})
        text = f"<b>{plain(name)}</b><br>{plain(holds)}"
        at = {"x": 0.015, "y": (low + high) / 2, "xanchor": "left", "showarrow": False, "align": "left"}
        fig.add_annotation(text=text, font={"size": FONT, "color": palette.ink}, **at)
    for role, index in feeds.items():
        lanes = [PLACES[each] for each, stream in feeds.items() if stream == index]
        start, end = (min(lanes) + max(lanes)) / 2 + (PLACES[role] - (min(lanes) + max(lanes)) / 2) * 0.8, PLACES[role]
        strength = 1.0 if highlighted in (None, role) else 0.3
        bend = f"M 0.52,{start + 0.14} C 0.62,{start + 0.14} 0.64,{end + 0.14} 0.74,{end + 0.14}"
        back = f"L 0.74,{end - 0.14} C 0.64,{end - 0.14} 0.62,{start - 0.14} 0.52,{start - 0.14} Z"
        opacity = 0.75 * strength
        look = {"fillcolor": palette.role(role), "line": {"width": 0}, "opacity": opacity, "layer": "below"}
        fig.add_shape(type="path", path=f"{bend} {back}", **look)
        fig.add_shape(
            type="rect", x0=0.74, x1=1, y0=end - 0.4, y1=end + 0.4, fillcolor=palette.surface,
            line={"color": palette.role(role), "width": 5 if highlighted == role else 2},
        )  # fmt: skip
        fig.add_annotation(
            x=0.87, y=end, text=f"<b>{plain(results[role])}</b>" if highlighted == role else plain(results[role]), showarrow=False,
            font={"size": FONT + 2 if highlighted == role else FONT, "color": palette.ink},
        )  # fmt: skip
        ink = readable(between(rgb(palette.surface), rgb(palette.role(role)), opacity))
        at = {"x": 0.63, "y": (start + end) / 2, "showarrow": False}
        fig.add_annotation(text=f"<b>× W<sup>{role.upper()}</sup></b>", font={"size": FONT, "color": ink}, **at)
    fig.update_xaxes(visible=False, range=[-0.005, 1.005], fixedrange=True)
    fig.update_yaxes(visible=False, range=[0, 3], fixedrange=True)
    return fig
