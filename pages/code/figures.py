"""Figures of the page on the code: the map of operations, costs as one dial varies, and two models step by step."""

import math
from collections.abc import Sequence
from dataclasses import replace

from viz_core.figures.base import figure, plain, say
from viz_core.figures.charts import Curve, add_curve
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import html_table


def growth(
    curves: Sequence[Curve], *, title: str, axes: tuple[str, str], here: tuple[float, str],
    mark: tuple[float, float, str] | None = None, log: bool = False, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Costs (y) over a dial (x).

    Args:
        axes: titles of x and y.
        here: the position of the model on display, and its label.
        mark: a point (x, y) and its label, such as a crossing.
        log: both axes have powers of ten.
    """
    fig = figure(palette, title=title, height=470, showlegend=True)
    for dash, curve in enumerate(curves):
        add_curve(fig, replace(curve, dash=dash, dots=True), palette)
    line = {"color": palette.quiet, "width": 2, "dash": "dot"}
    place = {"xanchor": "left", "xshift": 6, "yanchor": "top", "bgcolor": palette.panel}
    fig.add_shape(type="line", x0=here[0], x1=here[0], y0=0, y1=1, yref="y domain", line=line)
    fig.add_annotation(text=plain(here[1]), x=_on(here[0], log), y=1.0, yref="paper", **place)
    if mark:
        box = {"bgcolor": palette.panel, "bordercolor": palette.line, "borderpad": 4, "xanchor": "right"}
        arrow = {"showarrow": True, "ax": -20, "ay": -60, "arrowcolor": palette.quiet, "arrowwidth": 2}
        fig.add_annotation(text=plain(mark[2]), x=_on(mark[0], log), y=_on(mark[1], log), **box, **arrow)
    scale = {"type": "log", "dtick": 1} if log else {"type": "linear", "rangemode": "tozero"}
    fig.update_xaxes(title=plain(axes[0]), showgrid=True, tickformat=",d", **scale)
    fig.update_yaxes(title=plain(axes[1]), showgrid=True, tickformat=None if log else "~s", exponentformat="power", **scale)
    say(fig, plain(here[1]), *([plain(mark[2])] if mark else []))
    return fig


def _on(value: float, log: bool) -> float:
    """The position of an annotation: on a logarithmic axis plotly takes the exponent of ten."""
    return math.log10(value) if log else value


def number_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, name: str, highlighted: int | None = None, sums: int = 0,
    words: Sequence[int] = (),
) -> str:  # fmt: skip
    """Numbers in small print, as HTML; see `html_table`. name: the table's name, a key of `viz_core/figures/en.toml`."""
    return html_table("corner", headings, rows, named=True, words=words, highlighted=highlighted, sums=sums, label=name)
