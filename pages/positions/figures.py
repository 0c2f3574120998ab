"""Positions: how similar two of them are."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.figures.attention import CLICKABLE, Floats, click_cells, frame, signed
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, mixed, readable, scale

PRINTED = 16  # up to so many positions each cell shows its value


def product_heatmap(
    products: Floats, labels: Sequence[str], *, axis: str, ends: tuple[float, float], cell: tuple[int, int],
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """PE(a) · PE(b) for all pairs of positions: rows a, columns b; a click hands back [a, b].

    Args:
        products: (T, T).
        ends: of the scale: the least product that there is, and that of a position with itself.
        cell: the picked pair (row, column), framed.
    """
    count = len(labels)
    size = max(5, min(46, 560 // max(count, 1)))
    fig = figure(palette, height=size * count + 190)
    gap = 2 if size > 20 else 0
    clicks = count**2 <= CLICKABLE
    hover = {"hoverinfo": "skip"} if clicks else {"hovertemplate": "«%{y}» · «%{x}» = %{z:.2f}<extra></extra>"}
    fig.add_heatmap(z=products, zmin=ends[0], zmax=ends[1], colorscale=scale(palette.sequential), xgap=gap, ygap=gap, **hover)
    if count <= PRINTED:
        shares = ((products - ends[0]) / max(ends[1] - ends[0], 1e-9)).flatten()
        fig.add_scatter(
            x=list(range(count)) * count, y=[i for i in range(count) for _ in labels], mode="text", hoverinfo="skip",
            text=[signed(float(v), 0) for v in products.flatten()],
            textfont_color=[readable(mixed(palette.sequential, float(share))) for share in shares],
        )  # fmt: skip
    row, column = cell
    names = [plain(label) for label in labels]
    if clicks:
        click_cells(fig, [[_product(a, b, products[i, j]) for j, b in enumerate(names)] for i, a in enumerate(names)])
    say(fig, _product(names[row], names[column], products[row, column]))
    thin = -(-26 // size)
    fig.update_xaxes(**token_axis(labels, plain(axis), column, palette.accent, thin), side="top", tickangle=-40 if count > 6 else 0)
    fig.update_yaxes(**token_axis(labels, plain(axis), row, palette.accent, thin, down=True))
    frame(fig, (column, column), (row, row), palette.ink, 5)
    return fig


def _product(a: str, b: str, value: float) -> str:
    return f"«{a}» · «{b}» = {signed(float(value))}"
