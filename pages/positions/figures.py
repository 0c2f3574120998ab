"""Positions: the waves of single dimensions, and how similar two positions are."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.figures.attention import Floats, frame, signed
from viz_core.figures.base import FONT, figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, mixed, readable, scale

PRINTED = 16  # up to so many positions each cell shows its value
LANE = 2.7  # from the middle of one wave to the next, where each goes from −1 to 1


def wave_lanes(
    fine: Floats, curves: Sequence[Floats], points: Sequence[Floats], labels: Sequence[str], names: Sequence[str], *, axis: str,
    picked: int, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Some dimensions of the positional encoding, each a wave in a lane of its own, the first on top.

    The dots are the values that positions really get, in the colours of the matrix; the curve between them is the formula. Read
    downwards, the dots at one position are its vector.

    Args:
        fine: positions of the curves, (m,).
        curves: the formula at these, (m,) for each lane.
        points: the values at positions 0, 1, 2 …, (T,) for each lane.
        labels: of the positions.
        names: of the lanes.
        axis: title of the axis of positions.
        picked: the position that is marked through all lanes.
    """
    lanes, count = len(curves), len(labels)
    fig = figure(palette, height=92 * lanes + 150)
    size = 15 if count <= 40 else 7
    for lane, (curve, dots) in enumerate(zip(curves, points, strict=True)):
        middle = -lane * LANE
        fig.add_shape(
            type="line", x0=fine[0], x1=fine[-1], y0=middle, y1=middle, line={"color": palette.line, "width": 1}, layer="below"
        )
        fig.add_scatter(x=fine, y=curve + middle, mode="lines", line={"color": palette.quiet, "width": 2}, hoverinfo="skip")
        hover = [f"«{plain(label)}», {plain(names[lane])}: {signed(float(v), 4)}" for label, v in zip(labels, dots, strict=True)]
        edge = {"color": [palette.accent if i == picked else palette.ink for i in range(count)], "width": 2}
        fig.add_scatter(
            x=list(range(count)), y=dots + middle, mode="markers", hovertext=hover,
            marker={
                "size": [size + 8 if i == picked else size for i in range(count)], "line": edge,
                "color": dots, "cmin": -1, "cmax": 1, "opacity": 1, "colorscale": scale(palette.diverging),
            },
        )  # fmt: skip
        fig.add_annotation(
            x=1.01, xref="paper", xanchor="left", y=middle, text=f"<b>{signed(float(dots[picked]))}</b>",
            font={"size": FONT + 4, "color": palette.accent},
        )  # fmt: skip
    values = "; ".join(f"{plain(name)}: {signed(float(dots[picked]))}" for name, dots in zip(names, points, strict=True))
    say(fig, f"«{plain(labels[picked])}»: {values}")
    low, high = -(lanes - 1) * LANE - 1.4, 1.4
    fig.add_shape(type="line", x0=picked, x1=picked, y0=low, y1=high, line={"color": palette.accent, "width": 3}, layer="below")
    thin = max(1, -(-count // 24))
    fig.update_xaxes(**token_axis(labels, plain(axis), picked, palette.accent, thin), tickangle=-40 if count > 8 else 0)
    fig.update_xaxes(range=[float(fine[0]) - 0.5, float(fine[-1]) + 0.5])
    fig.update_yaxes(
        tickmode="array", tickvals=[-lane * LANE for lane in range(lanes)], ticktext=[plain(name) for name in names],
        range=[low, high],
    )  # fmt: skip
    fig.update_layout(margin={"r": 90})
    return fig


def product_heatmap(
    products: Floats, labels: Sequence[str], *, axis: str, ends: tuple[float, float], cell: tuple[int, int],
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """PE(a) · PE(b) for all pairs of positions: rows a, columns b.

    Args:
        products: (T, T).
        ends: of the scale: the least product that there is, and that of a position with itself.
        cell: the picked pair (row, column), framed.
    """
    count = len(labels)
    size = max(5, min(46, 560 // max(count, 1)))
    fig = figure(palette, height=size * count + 190)
    gap = 2 if size > 20 else 0
    fig.add_heatmap(
        z=products, zmin=ends[0], zmax=ends[1], colorscale=scale(palette.sequential), xgap=gap, ygap=gap,
        hovertemplate="«%{y}» · «%{x}» = %{z:.2f}<extra></extra>",
    )  # fmt: skip
    if count <= PRINTED:
        shares = ((products - ends[0]) / max(ends[1] - ends[0], 1e-9)).flatten()
        fig.add_scatter(
            x=list(range(count)) * count, y=[i for i in range(count) for _ in labels], mode="text", hoverinfo="skip",
            text=[signed(float(v), 0) for v in products.flatten()],
            textfont_color=[readable(mixed(palette.sequential, float(share))) for share in shares],
        )  # fmt: skip
    row, column = cell
    say(fig, f"«{plain(labels[row])}» · «{plain(labels[column])}» = {signed(float(products[row, column]))}")
    thin = -(-26 // size)
    fig.update_xaxes(**token_axis(labels, plain(axis), column, palette.accent, thin), side="top", tickangle=-40 if count > 6 else 0)
    fig.update_yaxes(**token_axis(labels, plain(axis), row, palette.accent, thin, down=True))
    frame(fig, (column, column), (row, row), palette.ink, 5)
    return fig
