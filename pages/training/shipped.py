"""How the checkpoint itself was trained: the curves of its history, and the recipe of its card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages.training.downloads import history_csv
from pages.training.figures import CurveChart, TrainingCurve, curve_charts
from viz_core.app import models
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.texts import fill
from viz_core.training import history

Points = Sequence[tuple[int, float]]


def show_shipped(p: Page) -> None:
    """Loss, validation BLEU and learning rate over the steps."""
    checkpoint = p.view.checkpoint
    found = history.read(models.folder(checkpoint))
    if found is None:
        p.write("no_history", model=checkpoint.name)
        return
    names, hovers = p.table("history_names"), p.texts["history_hovers"]

    def curve(key: str, points: Points, role: str, *, dots: bool = False) -> TrainingCurve:
        hover = [fill(hovers[key], {"step": f"{step:,}", "value": number(value)}) for step, value in points]
        steps, values = [step for step, _ in points], [value for _, value in points]
        return TrainingCurve(names[key], steps, values, hover, role=role, dots=dots)

    top = max(value for _, value in found.loss)
    drawn = [CurveChart(p.text("axis_loss"), [curve("logged", found.loss, "k")], (0.0, 1.05 * top))]
    bleus = [("bleu_last", found.last, "q"), ("bleu_averaged", found.averaged, "v")]
    if curves := [curve(key, points, role, dots=True) for key, points, role in bleus if points]:
        drawn.append(CurveChart(p.text("axis_bleu"), curves, (0.0, 1.1 * max(max(each.values) for each in curves))))
    if found.rate:
        top = 1.1 * max(value for _, value in found.rate)
        drawn.append(CurveChart(p.text("axis_rate"), [curve("rate", found.rate, "")], (0.0, top), format="~g"))
    end = max(curve.steps[-1] for chart in drawn for curve in chart.curves)  # BLEU is measured after the last logged loss
    figure = curve_charts(
        drawn, title=p.text("title_shipped", model=checkpoint.name), axis=p.text("steps"), span=(0.0, float(end)), height=560,
        legend=True, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "shipped")
    first, last = found.loss[0], found.loss[-1]
    values = {"step": f"{last[0]:,}", "loss": number(last[1]), "first": number(first[1]), "from": f"{first[0]:,}"}
    p.write("says_shipped", **values)
    if best := max((*found.last, *found.averaged), key=lambda point: point[1], default=None):
        p.write("best_bleu", step=f"{best[0]:,}", bleu=f"{best[1]:.2f}")
    if recipe := history.recipe(models.folder(checkpoint)):
        p.write("recipe", recipe=recipe.replace("`", ""))
    p.offer("history", "history", partial(history_csv, found))
    p.light("code_shipped")
