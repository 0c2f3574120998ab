"""LayerNorm of one token: its vector before, standardized, and after gain and bias."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pages.residual.compute import axis_reach
from pages.residual.controls import DIM, pick_sublayer, stack_tokens
from viz_core.analysis.residual_stream import layer_norm
from viz_core.app.controls import in_figure
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.config import Stack
from viz_core.figures.attention import Floats, signed
from viz_core.figures.base import figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill, named, texts

FORMULA = {"variance": "arithmetic_norm", "deviation": "arithmetic_norm_deviation"}
LEAD = {"pre": "lead_norm_pre", "post": "lead_norm_post"}


def show_layer_norm(p: Page, stack: Stack, row: Any) -> None:
    """All numbers of one token in the three stages of one LayerNorm, and the arithmetic of one dimension."""
    view = p.view
    with row:
        block = pick_sublayer(p, stack)
    labels, token = stack_tokens(p, stack)
    norm = layer_norm(view.checkpoint.model, view.trace, stack, view.layer, block, token)
    largest = int(np.abs(norm.standard).argmax())
    of = (view.explanation.source.text, stack, view.layer, block, token)
    with in_figure():
        dim = DIM.draw(p, 1, len(norm.x), largest + 1, of) - 1
    reach = axis_reach(norm.standard, norm.out)
    stages = {"before": (norm.x, axis_reach(norm.x)), "standard": (norm.standard, reach), "after": (norm.out, reach)}
    axes = p.table("stage_axes")
    rows = []
    for name, (vector, end) in stages.items():
        mean, deviation = _short(float(vector.mean())), _short(float(vector.std()))
        rows.append((vector, p.table("stages", mean=mean, deviation=deviation)[name], end))
    sublayer = p.table("sublayers")[f"{stack}_{block}"]
    p.write(LEAD[view.config.norm], token=labels[token], name=sublayer, layer=view.layer + 1)
    strips = norm_strips(rows, names=[axes[name] for name in stages], axis=p.text("dims"), dim=dim, palette=p.palette)
    p.show(strips, "norm", clicks="dim", least="wide")
    vectors = (norm.x, norm.standard, norm.gamma, norm.beta, norm.out)
    numbers = partial(array_csv, "dimension x standardized gamma beta output", [None], *vectors)
    p.offer("norm", f"{stack}-layer{view.layer + 1}-{block}-norm", numbers, token=labels[token])
    p.arithmetic(
        FORMULA[view.config.layer_norm], token=labels[token], dim=dim + 1, size=len(norm.x), mean=norm.mean, variance=norm.variance,
        deviation=norm.variance**0.5, x=float(norm.x[dim]), gamma=float(norm.gamma[dim]), beta=float(norm.beta[dim]),
        standard=float(norm.standard[dim]), out=float(norm.out[dim]), eps=norm.eps,
    )  # fmt: skip
    p.show_code("code_norm")


def _short(value: float) -> str:
    """A mean or a deviation as text; 0 where it is 0 except for rounding."""
    return "0" if abs(value) < 0.0005 else number(value).replace("-", "−")


def norm_strips(
    rows: Sequence[tuple[Floats, str, float]], *, names: Sequence[str], axis: str, dim: int, palette: Palette = LIGHT
) -> Figure:
    """One vector at several stages below each other, a bar for each dimension; a click carries the dimension.

    Args:
        rows: for each stage the vector (D,), its title and the reach of its axis, which ends at ± it.
        names: of the vertical axes.
        axis: title of the axis of dimensions.
        dim: the picked dimension, highlighted in each stage.
    """
    n, size, hover = len(rows), len(rows[0][0]), texts("residual.hovers")["dimension"]
    fig = figure(palette, height=190 * n + 60, bargap=0.0)
    fig.update_layout(clickmode="event+select", dragmode=False, margin={"t": 6})
    step = 1 / n
    say(fig, *(named(plain(title), f"{plain(axis)} {dim + 1} = {signed(float(values[dim]))}") for values, title, _ in rows))
    for i, (values, title, reach) in enumerate(rows):
        which = "" if i == 0 else str(i + 1)
        mean, deviation = float(values.mean()), float(values.std())
        colours = [palette.accent if d == dim else palette.diverging[5 if v >= 0 else 1] for d, v in enumerate(values)]
        clear = {"marker": {"opacity": 1}}
        fig.add_bar(
            x=list(range(1, size + 1)), y=values, yaxis=f"y{which}", marker_color=colours, selected=clear, unselected=clear,
            customdata=[[d, 0] for d in range(size)],
            hovertext=[fill(hover, {"dimension": d + 1, "value": signed(float(v), 3)}) for d, v in enumerate(values)],
        )  # fmt: skip
        top = 1 - i * step
        band = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "yref": f"y{which}", "layer": "below", "line": {"width": 0}}
        fig.add_shape(y0=mean - deviation, y1=mean + deviation, fillcolor=palette.line, opacity=0.5, **band)
        for edge, dash in ((mean - deviation, "dot"), (mean, "solid"), (mean + deviation, "dot")):
            line = {"color": palette.quiet, "width": 1.5, "dash": dash}
            fig.add_shape(type="line", xref="paper", x0=0, x1=1, yref=f"y{which}", y0=edge, y1=edge, line=line)
        value = float(values[dim])
        fig.add_annotation(
            text=f"<b>{signed(value)}</b>", x=dim + 1, y=value, yref=f"y{which}", yanchor="bottom" if value >= 0 else "top",
            font_color=palette.accent, bgcolor=palette.surface, borderpad=1,
        )  # fmt: skip
        above = {"xref": "paper", "x": 0, "xanchor": "left", "yref": "paper", "y": top, "yanchor": "top"}
        fig.add_annotation(text=plain(title), **above)
        place = {"domain": [top - step + 0.01, top - 0.06], "range": [-reach, reach], "tickvals": [-reach / 2, 0, reach / 2]}
        look = {"zeroline": True, "zerolinecolor": palette.line, "title": {"text": plain(names[i])}}
        fig.update_layout(**{f"yaxis{which}": place | look})
    ticks = [1, *range(max(2, size // 8), size + 1, max(2, size // 8))]
    fig.update_xaxes(title={"text": axis}, range=[0.5, size + 0.5], anchor=f"y{n}", tickvals=ticks)
    return fig
