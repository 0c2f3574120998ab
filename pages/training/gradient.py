"""The gradient of this step's loss: one weight and one step of gradient descent; then the attention weights."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import streamlit as st

from pages.training.compute import GradientStep, apart, curve_values, largest_terms, minus
from pages.training.controls import ETA, KIND, MATRIX
from viz_core.analysis.gradient import MatrixGradient, attention_gradient, loss_curve, matrix_gradient
from viz_core.app import session
from viz_core.app.answers import Between, Index, beyond
from viz_core.app.cache import cached
from viz_core.app.csv_files import cells
from viz_core.app.markup import Raw, number, tex
from viz_core.app.page import Page
from viz_core.app.token_maps import Stack, token_maps_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.trace import Array, Doubles, Floats, Kind

NEGLIGIBLE = 1e-9
"""A smaller gradient is rounding: the loss does not depend on the weight."""
FEED_FORWARD = ("w_1", "w_2")


def show_gradient(p: Page) -> None:
    """The loss over one weight with a step against its gradient; below it, ∂L/∂A beside the attention weights A."""
    view, ex = p.view, p.view.explanation
    with p.controls(), st.container(horizontal=True, width="content"):
        kind, matrix, eta = KIND.draw(p), MATRIX.draw(p), float(ETA.draw(p))
    p.follows |= {"step", "layer", "head"}
    if not p.known(view.current.log_probs):
        return
    place = (view.checkpoint.model, ex, view.step, kind, view.layer)
    with st.spinner(p.text("computing_gradient")):
        gradient = cached(matrix_gradient, *place, view.head, matrix)
        through = cached(attention_gradient, *place)[view.head]
        if not p.known(gradient.gradient, through):
            return
        i, j = gradient.steepest
        weight, slope = float(gradient.weights[i, j]), float(gradient.gradient[i, j])
        moved = weight - eta * slope
        values = curve_values(weight, moved, float(gradient.weights.std()), len(ex.source) + view.step)
        *losses, after = cached(loss_curve, *place, view.head, matrix, (i, j), (*values, moved)).tolist()
    step = GradientStep(weight, gradient.loss, slope, moved, after)
    if not p.known(np.array([*losses, after])):
        return
    attention = _attention(ex, kind, view.layer, view.head, through)
    curve = _curve(p, gradient, matrix, np.array(values), np.array(losses), step)
    if session.lecture():  # which shows one row of the page
        left, right = st.columns([11, 9], gap="medium")
        with left:
            p.show(curve, "gradient")
        with right:
            p.answer(gradient_maps, shown="slopes", kind=kind, step=view.step, layer=view.layer, head=view.head)
        return
    p.show(curve, "gradient", alone=False)
    _write_step(p, step, eta, gradient.weights.size, matrix)
    _show_attention(p, kind, attention)
    p.write("about_gradient", count=sum(parameter.numel() for parameter in view.checkpoint.model.parameters()))
    _arithmetic(p, gradient, matrix, step, eta)
    where = f"step{view.step + 1}-layer{view.layer + 1}-head{view.head + 1}"
    points = [*zip(values, losses, strict=True), (moved, after)]  # with the tangent; the last line is the weight after the step
    p.offer(
        "curve", f"loss-over-a-weight-{matrix}-{where}", "weight loss tangent",
        lambda: ([value, loss, step.loss + step.slope * (value - step.weight)] for value, loss in points),
    )  # fmt: skip
    queries, keys, *maps = attention
    p.offer(
        "through", f"gradient-of-attention-{kind}-{where}", "query_index query key_index key attention gradient",
        lambda: cells((queries, keys), *maps, where=~np.isnan(attention.slopes)),
    )  # fmt: skip
    p.show_code("code_gradient")


class _Attention(NamedTuple):
    """One head up to the tokens read so far: labels of rows and columns, A and ∂L/∂A; NaN where the mask forbids."""

    queries: list[str]
    keys: list[str]
    weights: Floats
    slopes: Floats

    @property
    def strongest(self) -> tuple[int, int]:
        """(query, key) of the largest absolute gradient."""
        return divmod(int(np.nan_to_num(np.abs(self.slopes)).argmax()), len(self.keys))


def _curve(p: Page, gradient: MatrixGradient, matrix: str, values: Doubles, losses: Doubles, step: GradientStep) -> Figure:
    words = {"matrix": p.texts["matrices"][matrix], "step": p.view.step + 1, "token": p.view.current.expected.label}
    row, column = gradient.steepest
    loss, new_loss = apart(step.loss, step.new_loss)
    weight, new = apart(step.weight, step.new_weight)
    numbers = {"weight": weight, "loss": loss, "slope": minus(number(step.slope)), "new": new, "new_loss": new_loss}
    hover = [p.text("hover_weight", weight=number(w), loss=number(each)) for w, each in zip(values, losses, strict=True)]
    names = list(p.table("names_gradient", **numbers).values())
    return loss_figure(
        values, losses, step, hover, title=p.text("title_gradient", **words), names=names,
        axes=(p.text("axis_weight", row=row + 1, column=column + 1, **words), p.text("axis_loss")), palette=p.palette,
    )  # fmt: skip


def _write_step(p: Page, step: GradientStep, eta: float, count: int, matrix: str) -> None:
    """The effect of one step, in words, and which of the `count` weights of the matrix it changes."""
    if abs(step.slope) < NEGLIGIBLE:
        p.write("no_slope")
        return
    loss, new_loss = apart(step.loss, step.new_loss)
    change = step.new_loss - step.loss
    key = "step_keeps" if abs(change) < NEGLIGIBLE else "step_lowers" if change < 0 else "step_raises"
    outcome = p.text(key, eta=f"{eta:g}", loss=loss, new_loss=new_loss)
    p.write("slope_up" if step.slope > 0 else "slope_down", slope=Raw(minus(number(step.slope))), outcome=Raw(outcome))
    p.write("chosen", count=count, matrix=p.texts["matrices"][matrix], whose=Raw(_whose(p, matrix)))


def _attention(explanation: Explanation, kind: Kind, layer: int, head: int, through: Array) -> _Attention:
    """through: ∂L/∂A of the head, (Tq, Tk)."""
    rows, columns = through.shape
    block = explanation.trace.attention(kind, layer)
    queries, keys = (side.labels for side in explanation.sides(kind))
    may = block.mask[:rows, :columns]
    weights, slopes = (np.where(may, values, np.nan) for values in (block.weights[head, :rows, :columns], through))
    return _Attention(queries[:rows], keys[:columns], weights, slopes)


def gradient_maps(
    checkpoint: Checkpoint, explanation: Explanation, kind: Kind, step: Index, layer: Index, head: Index,
    shown: Literal["both", "slopes"],
) -> bytes:  # fmt: skip
    """A, and ∂L/∂A on a signed scale around 0, of one head at one step.

    Raises:
        Refused: there is no such place.
    """
    heads = explanation.trace.attention(kind, 0).weights.shape[0]
    counts = {"step": len(explanation.steps), "layer": len(explanation.trace.attentions(kind)), "head": heads}
    for name, value in (("step", step), ("layer", layer), ("head", head)):
        if value >= counts[name]:
            raise beyond(name, value, Between(0, counts[name] - 1))
    through = cached(attention_gradient, checkpoint.model, explanation, step, kind, layer)[head]
    maps = _attention(explanation, kind, layer, head, through)
    numbers = {"weights": Stack((), maps.weights), "slopes": Stack((), maps.slopes)}
    place = {"layer": layer, "head": head, "step": step}
    return token_maps_payload(explanation, kind, numbers, writes=None, cell=maps.strongest, shown=shown, **place)


def _show_attention(p: Page, kind: Kind, attention: _Attention) -> None:
    view = p.view
    p.answer(gradient_maps, shown="both", kind=kind, step=view.step, layer=view.layer, head=view.head)
    query, key = attention.strongest
    value = float(attention.slopes[query, key])
    if abs(value) < NEGLIGIBLE:
        p.write("no_through")
        return
    tokens = {"query": attention.queries[query], "key": attention.keys[key]}
    p.write(
        "through_lowers" if value < 0 else "through_raises", value=Raw(minus(number(value))), each=Raw(p.texts["each"]), **tokens
    )


def _arithmetic(p: Page, gradient: MatrixGradient, matrix: str, step: GradientStep, eta: float) -> None:
    view, (i, j) = p.view, gradient.steepest
    terms, rest = largest_terms(gradient)
    factors = [rf"({number(slope)}) \cdot ({number(x)})" for slope, x in terms]
    change = -eta * step.slope**2
    weight, new = apart(step.weight, step.new_weight)
    loss, new_loss = apart(step.loss, step.new_loss)
    p.arithmetic(
        "of_gradient", step=view.step + 1, token=tex(view.current.expected.label), loss=Raw(loss),
        i=i + 1, j=j + 1, matrix=Raw(p.texts["tex_matrices"][matrix]), positions=len(gradient.x),
        terms=Raw(" + ".join([*factors, *([r"\cdots"] * rest)])), slope=step.slope, weight=Raw(weight), eta=Raw(f"{eta:g}"),
        new=Raw(new), predicted=change, new_loss=Raw(new_loss), real=step.new_loss - step.loss,
        whose=Raw(_whose(p, matrix)),
    )  # fmt: skip


def _whose(p: Page, matrix: str) -> str:
    return p.text("of_layer" if matrix in FEED_FORWARD else "of_head", layer=p.view.layer + 1, head=p.view.head + 1)


HEIGHT = 400
MARGIN = 0.12
"""Above and below the curve, as a share of its height."""
FLATTEST = 1e-7
"""A curve that rises less is drawn flat: the rest is rounding."""
SIZE = 15
"""Size of a dot, in px."""


def loss_figure(
    weights: Floats, losses: Floats, step: GradientStep, hover: Sequence[str], *,
    title: str, names: Sequence[str], axes: tuple[str, str], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The loss over one weight, the tangent at its value, an arrow along the tangent to w′, and the actual loss there.

    Args:
        weights, losses: of the curve, (n,) each, in rising order of the weights.
        hover: a text for each point.
        names: legend entries of the curve, the tangent, and the points before and after the step.
        axes: titles of the weight's axis (across) and of the loss's (up).
    """
    fig = figure(palette, title=title, height=HEIGHT)
    ends = [float(weights[0]), float(weights[-1])]
    tangent = [step.loss + step.slope * (end - step.weight) for end in ends]
    quiet = {"color": palette.quiet, "width": 2, "dash": "dash"}
    fig.add_scatter(
        x=weights.tolist(), y=losses.tolist(), name=plain(names[0]), mode="lines+markers", marker_size=6,
        line={"color": palette.accent, "width": 3}, hovertext=[plain(text) for text in hover],
    )  # fmt: skip
    fig.add_scatter(x=ends, y=tangent, name=plain(names[1]), mode="lines", line=quiet, hoverinfo="skip")
    dots = ((step.weight, step.loss, palette.ink, names[2]), (step.new_weight, step.new_loss, palette.output_text, names[3]))
    for x, y, colour, name in dots:
        look = {"size": SIZE, "color": colour, "line": {"color": palette.surface, "width": 2}}
        fig.add_scatter(x=[x], y=[y], name=plain(name), mode="markers", marker=look, hovertext=[plain(name)])
    low, high = min(*losses, step.predicted, step.new_loss), max(*losses, step.predicted, step.new_loss)
    room = MARGIN * (high - low if high - low > FLATTEST else max(abs(step.loss), FLATTEST))
    if step.new_weight != step.weight:
        _arrow(fig, step, palette)
    fig.update_layout(showlegend=True)
    fig.update_xaxes(title=plain(axes[0]), range=ends, nticks=7)
    fig.update_yaxes(title=plain(axes[1]), range=[float(low) - room, float(high) + room], nticks=6, showgrid=True)
    say(fig, *(plain(name) for name in names))
    return fig


def _arrow(fig: Figure, step: GradientStep, palette: Palette) -> None:
    """Down the tangent to the predicted loss, and from there to the actual one."""
    ink = palette.output_text
    fig.add_annotation(
        x=step.new_weight, y=step.predicted, ax=step.weight, ay=step.loss, xref="x", yref="y", axref="x", ayref="y", text="",
        showarrow=True, arrowhead=2, arrowwidth=3, arrowsize=1.1, arrowcolor=ink, standoff=0, startstandoff=SIZE / 2,
    )  # fmt: skip
    line = {"color": ink, "width": 2, "dash": "dot"}
    fig.add_shape(type="line", x0=step.new_weight, x1=step.new_weight, y0=step.predicted, y1=step.new_loss, line=line)
