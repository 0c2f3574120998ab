"""How the checkpoint itself was trained: the curves of its history, and the recipe of its card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages.training.downloads import history_csv
from pages.training.figures import CurveChart, curve_charts, step_curve
from viz_core.app import models
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.figures.curves import Curve
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

    def curve(key: str, points: Points, role: str, *, dots: bool = False) -> Curve:
        return step_curve(names[key], points, hovers[key], role=role, dots=dots)

    def chart(axis: str, curves: Sequence[Curve], room: float, format: str | None = None) -> CurveChart:
        return CurveChart(p.text(axis), curves, (0.0, room * max(value for each in curves for value in each.y)), format)

    charts = [chart("axis_loss", [curve("logged", found.loss, "k")], 1.05)]
    bleus = [("bleu_last", found.last, "q"), ("bleu_averaged", found.averaged, "v")]
    if measured := [curve(key, points, role, dots=True) for key, points, role in bleus if points]:
        charts.append(chart("axis_bleu", measured, 1.1))
    if found.rate:
        charts.append(chart("axis_rate", [curve("rate", found.rate, "")], 1.1, "~g"))
    end = max(curve.x[-1] for chart in charts for curve in chart.curves)  # BLEU is measured after the last logged loss
    figure = curve_charts(
        charts, title=p.text("title_shipped", model=checkpoint.name), axis=p.text("steps"), end=end, height=560,
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
    p.show_code("code_shipped")
