"""Where Q, K and V come from: ribbons from the streams to the three roles, and X·W + b = Y as matrices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.figures.attention import CLICKABLE, Floats, cell_height, click_cells, frame, signed, thin_rows
from viz_core.figures.base import FONT, figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, between, readable, rgb, scale

PLACES = {"q": 2.5, "k": 1.5, "v": 0.5}  # middle of each role's lane, from below
LANE, BOX = 40, 54  # px: the height of a lane, and of a stream's box with its two lines


def sources_figure(
    streams: Sequence[tuple[str, str, str]], feeds: dict[str, int], results: dict[str, str], *, highlighted: str | None = None,
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """One or two streams feeding Q, K and V.

    Args:
        streams: (name, what it holds, "encoder" or "decoder") from above.
        feeds: q, k, v → index of its stream.
        results: q, k, v → what comes out, such as "Q  8 × 32".
        highlighted: the role in full colour; the others are faint.
    """
    fig = figure(palette, height=3 * LANE + 20, margin={"t": 4, "b": 16})
    ways = {role: f"{plain(streams[index][0])} × W {role.upper()} = {plain(results[role])}" for role, index in feeds.items()}
    say(fig, *(ways.values() if highlighted is None else [ways[highlighted]]))
    middles = [3 - 3 * (index + 0.5) / len(streams) for index in range(len(streams))]
    for middle, (name, holds, side) in zip(middles, streams, strict=True):
        low, high = middle - BOX / LANE / 2, middle + BOX / LANE / 2
        tint = palette.encoder if side == "encoder" else palette.decoder
        fig.add_shape(type="rect", x0=0, x1=0.62, y0=low, y1=high, fillcolor=tint, line={"color": palette.quiet, "width": 1})
        text = f"<b>{plain(name)}</b><br>{plain(holds)}"
        fig.add_annotation(text=text, x=0.015, y=middle, xanchor="left", align="left")
    for role, index in feeds.items():
        lanes = [PLACES[each] for each, stream in feeds.items() if stream == index]
        end = PLACES[role]
        start = middles[index] + (end - (min(lanes) + max(lanes)) / 2) * 0.4
        strength = 1.0 if highlighted in (None, role) else 0.3
        bend = f"M 0.62,{start + 0.17} C 0.69,{start + 0.17} 0.71,{end + 0.3} 0.78,{end + 0.3}"
        back = f"L 0.78,{end - 0.3} C 0.71,{end - 0.3} 0.69,{start - 0.17} 0.62,{start - 0.17} Z"
        opacity = 0.75 * strength
        look = {"fillcolor": palette.role(role), "line": {"width": 0}, "opacity": opacity, "layer": "below"}
        fig.add_shape(type="path", path=f"{bend} {back}", **look)
        fig.add_shape(
            type="rect", x0=0.78, x1=1, y0=end - 0.4, y1=end + 0.4, fillcolor=palette.surface,
            line={"color": palette.role(role), "width": 5 if highlighted == role else 2},
        )  # fmt: skip
        fig.add_annotation(
            x=0.89, y=end, text=f"<b>{plain(results[role])}</b>" if highlighted == role else plain(results[role]),
            font={"size": FONT + 2 if highlighted == role else FONT, "color": palette.ink},
        )  # fmt: skip
        ink = readable(between(rgb(palette.surface), rgb(palette.role(role)), opacity))
        at = {"x": 0.747, "y": 0.1 * start + 0.9 * end}  # where the ribbon is as high as the letters
        fig.add_annotation(text=f"<b>× W<sup>{role.upper()}</sup></b>", font_color=ink, **at)
    fig.update_xaxes(visible=False, range=[-0.005, 1.005])
    fig.update_yaxes(visible=False, range=[0, 3])
    return fig


def projection_figure(
    x: Floats, weight: Floats, y: Floats, tokens: Sequence[str], *, role: str, origin: str, titles: tuple[str, str, str],
    axes: tuple[str, str, str], locked: tuple[int, int], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """X × W = Y for one head; the row of X, the column of W and the cell of Y that belong together are framed.

    Args:
        x: (T, D).   weight: (D, d_k).   y: (T, d_k), with the bias in it.
        role: q, k or v: the colour of Y's title. X and Y have one scale of colours; W, whose numbers are much smaller, its own.
        origin: decoder, or encoder or memory: the tint behind the matrices.
        titles: over the three matrices, with their shapes.
        axes: titles of the tokens' axis, of the model's dimensions and of the head's dimensions.
        locked: the picked cell of Y (token, dimension).
    """

    def said(i: int, j: int) -> str:
        return f"«{plain(tokens[i])}»: {role}[{j + 1}] = {signed(y[i, j], 3)}"

    rows, d_model = x.shape
    d_k = weight.shape[1]
    row, column = locked
    height = max(260, cell_height(rows) * rows)
    fig = figure(palette, height=height + 176)
    domains = ((0.0, 0.36), (0.47, 0.58), (0.67, 1.0))
    drawn = ((x, "x", "y"), (weight, "x2", "y2"), (y, "x3", "y3"))
    streams, weights = (max(1e-9, *(float(np.abs(z).max()) for z in each)) for each in ((x, y), (weight,)))
    limits = streams, weights, streams
    for (z, across, down), (low, high), limit in zip(drawn, domains, limits, strict=True):
        bar = {"orientation": "h", "thickness": 12, "x": (low + high) / 2, "xanchor": "center", "len": max(0.16, high - low)}
        bar |= {"y": -78 / height, "yanchor": "top", "ypad": 0}
        bar |= {"tickvals": [-limit, 0, limit], "ticktext": [signed(-limit, 1), "0", signed(limit, 1)]}
        fig.add_heatmap(
            z=z, x0=1, dx=1, xaxis=across, yaxis=down, colorscale=scale(palette.diverging), zmin=-limit, zmax=limit, colorbar=bar,
            hoverinfo="skip" if down == "y3" and y.size <= CLICKABLE else "z", hovertemplate="%{z:.3f}<extra></extra>",
        )  # fmt: skip
    if y.size <= CLICKABLE:
        click_cells(fig, [[said(i, j) for j in range(d_k)] for i in range(rows)])
        fig.data[-1].update(x=[at + 1 for at in fig.data[-1]["x"]], xaxis="x3", yaxis="y3")
        fig.data[-1]["marker"]["size"] = 14
    say(fig, said(row, column))
    shared = {"ticks": ""}
    labels = {**shared, **token_axis(tokens, axes[0], row, palette.role_text(role), thin=thin_rows(rows), down=True)}
    under = [{"text": name, "standoff": 6} for name in (axes[1], axes[2], axes[2])]
    places = [{"domain": domain, "title": title} for domain, title in zip(domains, under, strict=True)]
    fig.update_layout(
        xaxis={**shared, **places[0], "anchor": "y", "range": [0.5, d_model + 0.5], "nticks": 4},
        xaxis2={**shared, **places[1], "anchor": "y2", "range": [0.5, d_k + 0.5], "nticks": 3},
        xaxis3={**shared, **places[2], "anchor": "y3", "range": [0.5, d_k + 0.5], "nticks": 5}, yaxis={**labels, "anchor": "x"},
        yaxis2={"anchor": "x2", "range": [d_model - 0.5, -0.5], "showticklabels": False, "title": {"text": axes[1], "standoff": 4}},
        yaxis3={**labels, "anchor": "x3", "showticklabels": False, "title": None}, margin={"t": 46, "b": 130},
        plot_bgcolor=palette.decoder if origin == "decoder" else palette.encoder,
    )  # fmt: skip
    middle = {"xref": "paper", "yref": "paper", "xanchor": "center"}
    inks = (palette.ink, palette.ink, palette.role_text(role))
    for text, ink, (low, high) in zip(titles, inks, domains, strict=True):
        fig.add_annotation(text=f"<b>{plain(text)}</b>", font_color=ink, x=(low + high) / 2, y=1.01, yanchor="bottom", **middle)
    for sign, x_at in (("×", 0.385), ("+ b =", 0.625)):
        fig.add_annotation(text=sign, x=x_at, y=0.5, font_size=28, **middle)
    frame(fig, (1, d_model), (row, row), palette.accent, 3, xref="x", yref="y")
    frame(fig, (column + 1, column + 1), (0, d_model - 1), palette.accent, 3, xref="x2", yref="y2")
    frame(fig, (column + 1, column + 1), (row, row), palette.accent, 3, xref="x3", yref="y3")
    return fig
