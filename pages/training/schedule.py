"""The schedule of the learning rate, and the effect of label smoothing on the loss."""

import numpy as np

from pages.training.controls import DIM, WARM, WHICH
from pages.training.figures import CurveChart, curve_charts, step_curve
from viz_core.app import models
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.figures.base import percent, percent_ticks
from viz_core.figures.charts import Curve
from viz_core.training import history
from viz_core.training.loss import loss_of_probability, smoothed_target
from viz_core.training.settings import TrainSettings, noam

POINTS = 400
"""Points of the formula's curve."""
LEAST_STEPS = 2000
"""The least length of the axis of steps."""
EPSILONS = (0.0, 0.1, 0.3)
ROLES = ("k", "", "v")
COOLED = 0.5
"""A last logged rate below this share of the formula's means that the training had a cool-down."""


def show_schedule(p: Page) -> None:
    """The learning rate over the steps, or the loss over the probability of the correct token."""
    with p.controls():
        which = WHICH.draw(p)
    if which == "over_steps":
        _show_noam(p)
    else:
        _show_smoothing(p)
    p.write("dropout", share=percent(p.view.config.dropout))


def _show_noam(p: Page) -> None:
    config, name = p.view.config, p.view.checkpoint.name
    with p.controls():
        d_model = DIM.draw(p, 16, 1024, config.d_model, of=name)
        warmup = WARM.draw(p, 1, 10_000, TrainSettings.warmup)
    logged = history.read(models.folder(p.view.checkpoint))
    own = logged.rate if logged else ()
    end = max(LEAST_STEPS, own[-1][0] if own else 0, 2 * warmup)
    steps = sorted({1, warmup, end, *np.linspace(1, end, POINTS).astype(int).tolist()})
    rates, hover = [(step, noam(step, d_model, warmup)) for step in steps], p.texts["hover_rate"]
    curves = [step_curve(p.text("name_noam", d_model=d_model, warmup=f"{warmup:,}"), rates, hover, role="k")]
    if own:
        curves.append(step_curve(p.text("name_own", model=name), own, hover, dash=1))
    half = max(1, warmup // 2)
    peak, top = noam(warmup, d_model, warmup), max(rate for curve in curves for rate in curve.y)
    chart = CurveChart(p.text("axis_rate"), curves, (0.0, 1.08 * top), {"tickformat": "~g", "nticks": 5})
    figure = curve_charts(
        [chart], title=p.text("title_noam"), axis=p.text("steps"), end=end, at=warmup, legend=True, palette=p.palette
    )
    p.show(figure, "noam")
    p.write("peak", step=f"{warmup:,}", rate=number(peak))
    if own:
        step, rate = max(own, key=lambda point: point[1])
        cooled = own[-1][1] < COOLED * noam(own[-1][0], config.d_model, step)  # the logged warm-up ends at the peak
        values = {"step": f"{step:,}", "rate": number(rate), "last": f"{own[-1][0]:,}", "end": number(own[-1][1])}
        p.write("peak_own" if cooled else "peak_without_cooldown", model=name, **values)
    p.arithmetic("of_noam", d_model=d_model, warmup=warmup, rate=peak, at=half, half=noam(half, d_model, warmup), four=4 * warmup)
    logged_at = dict(own)
    p.offer(
        "noam", f"learning-rate-d{d_model}-warmup{warmup}", "step learning_rate logged",
        lambda: ([step, noam(step, d_model, warmup), logged_at.get(step)] for step in range(1, end + 1)),
    )  # fmt: skip
    p.show_code("code_schedule")


def _show_smoothing(p: Page) -> None:
    size = p.view.config.target_vocab
    shares = np.concatenate([np.logspace(-4, -1, 60), np.linspace(0.1, 0.99, 180)[1:], 1 - np.logspace(-2, -5, 60)])
    curves = []
    for dash, (epsilon, role) in enumerate(zip(EPSILONS, ROLES, strict=True)):
        losses = loss_of_probability(shares, size, epsilon)
        hover = [
            p.text("hover_curve", epsilon=f"{epsilon:g}", share=percent(float(share)), loss=number(float(loss)))
            for share, loss in zip(shares, losses, strict=True)
        ]
        curves.append(Curve(f"ε = {epsilon:g}", shares.tolist(), losses.tolist(), hover, role, dash))
    chart = CurveChart(p.text("axis_loss"), curves, (0.0, 8.0))
    figure = curve_charts(
        [chart], title=p.text("title_smoothing"), axis=p.text("axis_right"), end=1, legend=True,
        ticks=percent_ticks(0, 0.2, 0.4, 0.6, 0.8, 1), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "smoothing")
    best, best_more = (float(smoothed_target(size, 0, epsilon)[0]) for epsilon in (0.1, 0.3))
    least = float(loss_of_probability(np.array([best]), size, 0.1)[0])
    p.write("about_smoothing", size=f"{size:,}", best=percent(best), best_more=percent(best_more), least=number(least))
    columns = " ".join(["probability", *(f"loss_epsilon_{epsilon:g}" for epsilon in EPSILONS)])
    p.offer("smoothing", "label-smoothing", columns, lambda: zip(shares, *(curve.y for curve in curves), strict=True))
    p.show_code("code_loss")
