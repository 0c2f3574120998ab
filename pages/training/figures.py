"""Figures of training: curves over the steps, the target distribution, and maps of cells with words in them.

The maps show the attention of the tiny model, one head or all, and a sentence's tokens at each snapshot.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.figures.attention import Floats
from viz_core.figures.base import figure, percent, plain, say, share_in_cell
from viz_core.figures.charts import Curve, add_curve
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import enumerated, fill, named, texts, visible

COUNTS = {"tickformat": ",d", "nticks": 6}
"""Ticks of an axis of steps."""
GAP = 0.1
"""Gap between two charts, as a share of the height."""


@dataclass(frozen=True)
class CurveChart:
    """One chart: the title of its vertical axis, its curves, and the range and the ticks of that axis."""

    axis: str
    curves: Sequence[Curve]
    range: tuple[float, float]
    ticks: Mapping[str, Any] = field(default_factory=lambda: {"nticks": 5})


def step_curve(
    name: str, points: Sequence[tuple[float, float]], hover: str, shown: Callable[[float], str] = number, **look: Any
) -> Curve:
    """A line over steps.

    Args:
        points: (step, value).
        hover: the text of each, with [[step]] and [[value]].
        shown: formats a value.
        look: see `Curve`.
    """
    steps, values = [step for step, _ in points], [value for _, value in points]
    hovers = [fill(hover, {"step": f"{step:,}", "value": shown(value)}) for step, value in points]
    return Curve(name, steps, values, hovers, **look)


def curve_charts(
    charts: Sequence[CurveChart], *, title: str, axis: str, end: float, at: float | None = None,
    level: tuple[float, str] | None = None, height: int = 405, legend: bool = False, ticks: Mapping[str, Any] = COUNTS,
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Charts over a common axis of training steps, the first on top.

    Args:
        axis: title of the axis of steps, which ends at `end`.
        at: the current step, marked by a line through all charts.
        level: a value to compare with in the first chart, with its label.
        legend: whether the curves are named above, each name once.
        ticks: of the axis of steps.
    """
    fig = figure(palette, title=title, height=height)
    fig.update_layout(showlegend=legend)
    named: set[str] = set()
    part = (1 - GAP * (len(charts) - 1)) / len(charts)
    for place, chart in enumerate(charts):
        suffix = str(place + 1) if place else ""
        top = 1 - place * (part + GAP)
        look = {"title": plain(chart.axis), "range": list(chart.range), "anchor": "x", "domain": [max(0.0, top - part), top]}
        fig.update_layout(**{f"yaxis{suffix}": {**look, **chart.ticks, "showgrid": True}})
        for curve in chart.curves:
            add_curve(fig, curve, palette, yaxis=f"y{suffix}", showlegend=curve.name not in named)
            named.add(curve.name)
    if level:
        note = {"text": plain(level[1]), "xref": "paper", "x": 1, "xanchor": "right", "yanchor": "bottom"}
        fig.add_annotation(y=level[0], font_color=palette.quiet, **note)
        fig.add_hline(y=level[0], line={"color": palette.quiet, "width": 2, "dash": "dot"})
    if at is not None:
        fig.add_shape(type="line", x0=at, x1=at, yref="paper", y0=0, y1=1, line={"color": palette.accent, "width": 2})
    last = f"y{len(charts)}" if len(charts) > 1 else "y"
    # Begins a little before 0, so that a dot at step 0 does not cover the labels of the vertical axis.
    fig.update_xaxes(title=plain(axis), range=[-0.02 * end, float(end)], anchor=last, **ticks, showgrid=True)
    say(fig, *(plain(curve.hover[-1]) for chart in charts for curve in chart.curves if curve.hover))
    return fig


Words = Sequence[Sequence[str]]


def show_cell_maps(
    p: Page, values: Floats, sides: tuple[Sequence[str], Sequence[str]], hovers: Sequence[Words], *,
    title: str, axes: tuple[str, str], file: str, names: Words = (), lines: Sequence[Sequence[Sequence[str]]] = (),
    framed: Sequence[tuple[int, int]] = (), held: int = -1, border: Floats | None = None, first: int = 0,
) -> None:  # fmt: skip
    """Shows one map, or with `names` small ones: layers down, heads across; a click on one sets the page's control `part`.

    Args:
        values: (layers, heads, rows, columns), in 0…1.
        sides: labels of rows and columns.
        hovers: for each map the texts of its cells.
        axes: names of rows and columns.
        file: name of the saved picture.
        lines: at most two for each cell of a single map.
        framed: cells with a frame.   held: the current row.
        border: (rows, columns); a dashed line separates cells below ½ from the others.
        first: `part` of the first small map.
    """
    tensors = {"values": np.nan_to_num(values).astype(np.float32)}
    if border is not None:
        tensors["border"] = border.astype(np.float32)
    about = {
        "title": title, "queries": list(map(visible, sides[0])), "keys": list(map(visible, sides[1])), "axes": axes,
        "names": names, "lines": [[[*map(visible, cell)] for cell in row] for row in lines],
        "hovers": [[[*map(visible, row)] for row in each] for each in hovers], "framed": framed, "held": held, "first": first,
        "texts": {"file": file},
    }  # fmt: skip
    p.mount("cell_maps", pack(tensors, about))


def show_example(
    p: Page, weights: Floats, queries: Sequence[str], keys: Sequence[str], right: Sequence[int], *,
    title: str, where: str, axes: tuple[str, str], cost: Floats | None,
) -> None:  # fmt: skip
    """Attention of one head on the example, (Tq, Tk), the answers framed.

    Args:
        right: for each of the first rows the column of the answer.
        where: the end of each hover text.
        cost: the penalty W of guided attention, drawn as lines between the cells.
    """
    looks = texts("figures.hovers")["looks"]

    def hover(row: int, column: int) -> str:
        share = percent(float(weights[row, column]))
        return f"{fill(looks, {'query': queries[row], 'key': keys[column], 'share': share})}, {where}"

    show_cell_maps(
        p, weights[None, None], (queries, keys), [_each(hover, *weights.shape)], title=title, axes=axes, file="attention",
        lines=[[[share_in_cell(float(share))] for share in row] for row in weights], framed=[*enumerate(right)], border=cost,
    )  # fmt: skip


def show_all_heads(
    p: Page, weights: Floats, queries: Sequence[str], keys: Sequence[str], *,
    title: str, names: Words, axes: tuple[str, str], first: int,
) -> None:  # fmt: skip
    """All heads as small maps. weights: (L, h, Tq, Tk)."""

    def hover(name: str, map: Floats, row: int, column: int) -> str:
        place = enumerated([f"{axes[0]} {queries[row]}", f"{axes[1]} {keys[column]}"])
        return named(name, named(place, percent(float(map[row, column]))))

    hovers = [
        _each(partial(hover, name, map), *map.shape)
        for line, maps in zip(names, weights, strict=True)
        for name, map in zip(line, maps, strict=True)
    ]
    show_cell_maps(p, weights, (queries, keys), hovers, title=title, axes=axes, file="attention", names=names, first=first)


def _each(words: Callable[[int, int], str], rows: int, columns: int) -> list[list[str]]:
    return [[words(row, column) for column in range(columns)] for row in range(rows)]
