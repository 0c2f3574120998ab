"""Figures of training: curves over the steps, the target distribution."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from viz_core.app.markup import number
from viz_core.figures.attention import Floats
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.charts import Curve, add_bars, add_curve
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill

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
    texts = [fill(hover, {"step": f"{step:,}", "value": shown(value)}) for step, value in points]
    return Curve(name, steps, values, texts, **look)


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


def target_bars(
    labels: Sequence[str], target: Floats, model: Floats, hover: Sequence[Sequence[str]], *,
    title: str, names: tuple[str, str], axes: tuple[str, str], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The target distribution beside the model's, on a logarithmic axis, which makes ε / V visible.

    Args:
        labels: of the tokens, the correct one first.
        target, model: probabilities; 0 has no bar.
        hover: texts of the bars, for each of the two.
        names: of the two.   axes: titles of tokens and probability.
    """
    fig = figure(palette, title=title, height=405)
    for name, values, texts, colour in zip(names, (target, model), hover, (palette.output, palette.accent), strict=True):
        bars = [float(value) if value > 0 else None for value in values]
        add_bars(fig, name, bars, colour, palette, hover=list(map(plain, texts)))
    slant = -40 if sum(map(len, labels)) > 55 else 0
    fig.update_xaxes(**token_axis(labels, axes[0], 0, palette.output_text), tickangle=slant)
    fig.update_yaxes(title=plain(axes[1]), type="log", range=[-8, 0.1], dtick=2, showgrid=True, exponentformat="power")
    say(fig, *(plain(texts[0]) for texts in hover))
    return fig
