"""The gradient of this step's loss: one weight and one step of gradient descent; then the attention weights."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from pages.training.compute import GradientStep, apart, curve_values, largest_terms, minus
from pages.training.controls import ETA, KIND, MATRIX
from pages.training.downloads import attention_gradient_csv, curve_csv
from pages.training.gradient_figures import gradient_maps, loss_figure
from viz_core.analysis.gradient import MatrixGradient, attention_gradient, loss_curve, matrix_gradient
from viz_core.app.cache import cached
from viz_core.app.markup import Raw, number, tex
from viz_core.app.page import Page
from viz_core.trace import Array, Doubles, Kind

FELT = 1e-9
"""A smaller gradient is rounding: the loss does not depend on the weight."""
FEED_FORWARD = ("w_1", "w_2")


def show_gradient(p: Page) -> None:
    """The loss over one weight with a step against its gradient; below it, ∂L/∂A beside the attention weights A."""
    view, ex = p.view, p.view.explanation
    with p.controls(), st.container(horizontal=True, width="content"):
        kind, matrix, eta = KIND.draw(p), MATRIX.draw(p), float(ETA.draw(p))
    if not p.known(view.current.log_probs):
        return
    place = (view.checkpoint.model, ex, view.step, kind, view.layer)
    with st.spinner(p.text("computing_gradient")):
        found = cached(matrix_gradient, *place, view.head, matrix, entries=8)
        through = cached(attention_gradient, *place, entries=8)[view.head]
        if not p.known(found.gradient, through):
            return
        i, j = found.steepest
        weight, slope = float(found.weights[i, j]), float(found.gradient[i, j])
        moved = weight - eta * slope
        values = curve_values(weight, moved, float(found.weights.std()), len(ex.source) + view.step)
        *losses, after = cached(loss_curve, *place, view.head, matrix, (i, j), (*values, moved), entries=48).tolist()
    step = GradientStep(weight, found.loss, slope, moved, after)
    if not p.known(np.array([*losses, after])):
        return
    _show_curve(p, found, matrix, np.array(values), np.array(losses), step)
    _write_step(p, step, eta)
    p.write("chosen", count=found.weights.size, matrix=p.texts["matrices"][matrix], whose=Raw(_whose(p, matrix)))
    _show_attention(p, kind, through)
    p.write("about_gradient", count=sum(each.numel() for each in view.checkpoint.model.parameters()))
    _arithmetic(p, found, matrix, step, eta)
    where = f"step{view.step + 1}-layer{view.layer + 1}-head{view.head + 1}"
    p.offer("curve", f"loss-over-a-weight-{matrix}-{where}", partial(curve_csv, np.array(values), np.array(losses), step))
    queries, keys = _labels(p, kind, through)
    weights = view.trace.attention(kind, view.layer).weights[view.head, : len(queries)]
    p.offer("through", f"gradient-of-attention-{kind}-{where}", partial(attention_gradient_csv, queries, keys, weights, through))
    p.show_code("code_gradient")


def _show_curve(p: Page, found: MatrixGradient, matrix: str, values: Doubles, losses: Doubles, step: GradientStep) -> None:
    said = {"matrix": p.texts["matrices"][matrix], "step": p.view.step + 1, "token": p.view.current.expected.label}
    row, column = found.steepest
    loss, new_loss = apart(step.loss, step.new_loss)
    weight, new = apart(step.weight, step.new_weight)
    numbers = {"weight": weight, "loss": loss, "slope": minus(number(step.slope)), "new": new, "new_loss": new_loss}
    hover = [p.text("hover_weight", weight=number(w), loss=number(each)) for w, each in zip(values, losses, strict=True)]
    names = list(p.table("names_gradient", **numbers).values())
    figure = loss_figure(
        values, losses, step, hover, title=p.text("title_gradient", **said), names=names,
        axes=(p.text("axis_weight", row=row + 1, column=column + 1, **said), p.text("axis_loss")), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "gradient", alone=False)


def _write_step(p: Page, step: GradientStep, eta: float) -> None:
    """What one step does, in words."""
    if abs(step.slope) < FELT:
        p.write("no_slope", slope=step.slope)
        return
    loss, new_loss = apart(step.loss, step.new_loss)
    change = step.new_loss - step.loss
    key = "step_keeps" if abs(change) < FELT else "step_lowers" if change < 0 else "step_raises"
    outcome = p.text(key, eta=f"{eta:g}", loss=loss, new_loss=new_loss)
    p.write("slope_up" if step.slope > 0 else "slope_down", slope=Raw(minus(number(step.slope))), outcome=Raw(outcome))


def _labels(p: Page, kind: Kind, through: Array) -> tuple[list[str], list[str]]:
    """The tokens of rows and columns: those that this step has read."""
    queries, keys = (side.labels for side in p.view.explanation.sides(kind))
    return queries[: through.shape[0]], keys[: through.shape[1]]


def _show_attention(p: Page, kind: Kind, through: Array) -> None:
    view = p.view
    attention = view.trace.attention(kind, view.layer)
    queries, keys = _labels(p, kind, through)
    open_ = attention.mask[: len(queries), : len(keys)]
    weights, slopes = (
        np.where(open_, each, np.nan) for each in (attention.weights[view.head, : len(queries), : len(keys)], through)
    )
    at = divmod(int(np.nan_to_num(np.abs(slopes)).argmax()), len(keys))
    where = {"kind": p.texts["kinds"][kind], "layer": view.layer + 1, "head": view.head + 1, "step": view.step + 1}
    p.write("title_through", **where)
    figures = gradient_maps(
        weights, slopes, queries, keys, at, names=p.texts["panels_gradient"], hovers=p.texts["hovers_gradient"],
        axes=(p.text("query"), p.text("key")), palette=p.palette,
    )  # fmt: skip
    for column, figure, name in zip(st.columns(2, gap="medium"), figures, ("weights", "through"), strict=True):
        with column:
            p.show(figure, name, alone=False)
    value = float(slopes[at])
    if abs(value) < FELT:
        p.write("no_through")
    else:
        p.write(
            "through_lowers" if value < 0 else "through_raises",
            query=queries[at[0]],
            key=keys[at[1]],
            value=Raw(minus(number(value))),
            each=Raw(p.texts["each"]),
        )


def _arithmetic(p: Page, found: MatrixGradient, matrix: str, step: GradientStep, eta: float) -> None:
    view, (i, j) = p.view, found.steepest
    terms, rest = largest_terms(found)
    factors = [rf"({number(slope)}) \cdot ({number(x)})" for slope, x in terms]
    change = -eta * step.slope**2
    weight, new = apart(step.weight, step.new_weight)
    loss, new_loss = apart(step.loss, step.new_loss)
    p.arithmetic(
        "of_gradient", step=view.step + 1, token=tex(view.current.expected.label), loss=Raw(loss),
        i=i + 1, j=j + 1, matrix=Raw(p.texts["tex_matrices"][matrix]), positions=len(found.x),
        terms=Raw(" + ".join([*factors, *([r"\cdots"] * rest)])), slope=step.slope, weight=Raw(weight), eta=Raw(f"{eta:g}"),
        new=Raw(new), predicted=change, new_loss=Raw(new_loss), real=step.new_loss - step.loss,
        whose=Raw(_whose(p, matrix)),
    )  # fmt: skip


def _whose(p: Page, matrix: str) -> str:
    return p.text("of_layer" if matrix in FEED_FORWARD else "of_head", layer=p.view.layer + 1, head=p.view.head + 1)
