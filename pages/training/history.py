"""What the page on learning shows of the checkpoint's own training: what its history holds."""

from __future__ import annotations

from collections.abc import Sequence

from pages.training.curves_figure import Chart, Curve, charts
from viz_core.app import models
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.training import history

Points = Sequence[tuple[int, float]]


def show_shipped(p: Page) -> None:
    """Loss, validation BLEU and learning rate over the steps, and how it was trained."""
    checkpoint = p.view.checkpoint
    found = history.read(models.folder(checkpoint))
    if found is None:
        p.write("no_history", model=checkpoint.name)
        return
    top = max(value for _, value in found.loss)
    drawn = [Chart(p.text("axis_loss"), [_curve(p, "logged", found.loss, "k")], (0.0, 1.05 * top))]
    if bleu := [points for points in (found.last, found.averaged) if points]:
        curves = [_curve(p, name, points, role, dots=True) for name, points, role in _bleus(found) if points]
        drawn.append(Chart("BLEU", curves, (0.0, 1.1 * max(value for points in bleu for _, value in points))))
    if found.rate:
        drawn.append(
            Chart(p.text("axis_rate"), [_curve(p, "rate", found.rate, "")], (0.0, 1.1 * max(v for _, v in found.rate)), format="~g")
        )
    last = found.loss[-1]
    figure = charts(
        drawn, title=p.text("title_shipped", model=checkpoint.name), axis=p.text("steps"), span=(0.0, float(last[0])), height=560,
        legend=True, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "shipped")
    values = {"step": f"{last[0]:,}", "loss": number(last[1]), "first": number(found.loss[0][1]), "from": f"{found.loss[0][0]:,}"}
    p.write("says_shipped", **values)
    if best := max((*found.last, *found.averaged), key=lambda point: point[1], default=None):
        p.write("best_bleu", step=f"{best[0]:,}", bleu=f"{best[1]:.2f}")
    if told := history.recipe(models.folder(checkpoint)):
        p.write("recipe", recipe=told.replace("`", ""))
    p.light("code_shipped")


def _bleus(found: history.History) -> list[tuple[str, Points, str]]:
    return [("bleu_last", found.last, "q"), ("bleu_averaged", found.averaged, "v")]


def _curve(p: Page, name: str, points: Points, role: str, *, dots: bool = False) -> Curve:
    said = [p.text(f"hover_{name}", step=f"{step:,}", value=number(value), rate=number(value)) for step, value in points]
    return Curve(p.text(f"name_{name}"), [step for step, _ in points], [value for _, value in points], said, role=role, dots=dots)
