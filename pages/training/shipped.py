"""How the checkpoint itself was trained: its curves and recipe, and this sentence through its snapshots."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.training.compute import SnapshotPrediction, predictions_of
from pages.training.figures import CurveChart, curve_charts, show_cell_maps, step_curve
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import models, session
from viz_core.app import snapshots as snapshot_options
from viz_core.app.cache import cached_aside, get_explanation
from viz_core.app.chosen import typed
from viz_core.app.controls import draw_link
from viz_core.app.markup import Raw, number, shortened, tex
from viz_core.app.page import Page
from viz_core.figures.base import clipped, percent
from viz_core.figures.charts import Curve
from viz_core.figures.table import html_table
from viz_core.training import history, snapshots
from viz_core.words import Token

Points = Sequence[tuple[int, float]]
COLUMNS = 12
"""Tokens that stay readable side by side; a longer sentence shows those around the current step."""
LEAST = 0.001
"""Smaller probabilities are shown on hover only."""
LETTERS = 9
"""Letters of a token in a cell."""
OUTPUT_LENGTH = 90
"""Characters of an output in the table: an untrained model never stops."""


def show_shipped(p: Page) -> None:
    """Loss, validation BLEU and learning rate over the steps."""
    checkpoint = p.view.checkpoint
    run = history.read(models.folder(checkpoint))
    if run is None:
        p.write("no_history", model=checkpoint.name)
        return
    names, hovers = p.table("history_names"), p.texts["history_hovers"]

    def curve(key: str, points: Points, role: str, *, dots: bool = False) -> Curve:
        return step_curve(names[key], points, hovers[key], role=role, dots=dots)

    def chart(axis: str, curves: Sequence[Curve], room: float, format: str | None = None) -> CurveChart:
        top = room * max(value for curve in curves for value in curve.y)
        return CurveChart(p.text(axis), curves, (0.0, top), {"tickformat": format, "nticks": 3})

    charts = [chart("axis_loss", [curve("logged", run.loss, "k")], 1.05)]
    bleus = [("bleu_last", run.last, "q"), ("bleu_averaged", run.averaged, "v")]
    if measured := [curve(key, points, role, dots=True) for key, points, role in bleus if points]:
        charts.append(chart("axis_bleu", measured, 1.1))
    if run.rate:
        charts.append(chart("axis_step_size", [curve("rate", run.rate, "")], 1.1, "~g"))
    end = max(curve.x[-1] for chart in charts for curve in chart.curves)  # BLEU is measured after the last logged loss
    figure = curve_charts(
        charts, title=p.text("title_shipped", model=checkpoint.name), axis=p.text("steps"), end=end, height=560,
        legend=True, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "shipped", least="wide")
    first, last = run.loss[0], run.loss[-1]
    values = {"step": f"{last[0]:,}", "loss": number(last[1]), "first": number(first[1]), "from": f"{first[0]:,}"}
    p.write("says_shipped", **values)
    if best := max((*run.last, *run.averaged), key=lambda point: point[1], default=None):
        p.write("best_bleu", step=f"{best[0]:,}", bleu=f"{best[1]:.2f}")
    if recipe := history.recipe(models.folder(checkpoint)):
        p.write("recipe", recipe=recipe.replace("`", ""))
    series = [dict(points) for points in (run.loss, run.rate, run.last, run.averaged)]
    p.offer(
        "history", "history", "step loss learning_rate bleu bleu_averaged",
        lambda: ([step, *(points.get(step) for points in series)] for step in sorted(set().union(*series))),
    )  # fmt: skip
    p.show_code("code_shipped")


def show_snapshots(p: Page) -> None:
    """The probability of every correct token at each snapshot, and what each snapshot writes on its own."""
    trained = models.get_checkpoint(snapshots.split_name(p.view.checkpoint.name)[0])
    saved = snapshots.saved_steps(models.folder(trained))
    if not saved:
        _offer(p)
        return
    if own := snapshot_options.lent_instead_of():
        p.write("lent", own=own, model=trained.name)
    correct = get_explanation(trained, p.view.sentence.text, typed()["target"])
    stages = (*((step, models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")) for step in saved), (None, trained))
    predictions = cached_aside(predictions_of, stages, correct)
    names = [p.text("after_all") if one.step is None else f"{one.step:,}" for one in predictions]
    snapshot = snapshots.split_name(p.view.checkpoint.name)[1]
    now = next((i for i, one in enumerate(predictions) if one.step == snapshot), len(predictions) - 1)
    p.follows.add("step")
    count, step = len(correct.steps), min(p.view.step, len(correct.steps) - 1)
    first = min(max(step - COLUMNS // 2, 0), max(count - COLUMNS, 0))
    places = range(first, min(first + COLUMNS, count))
    rows = [[_cell(p, one, t, correct.output[t]) for t in places] for one in predictions]
    shares = np.array([[np.exp(np.float64(one.log_probs[t])) for t in places] for one in predictions])
    right = [[one.best[t] == correct.output[t].id for t in places] for one in predictions]
    show_cell_maps(
        p, shares[None, None], (names, [correct.output[t].label for t in places]), [[[hover for _, hover in row] for row in rows]],
        title=p.text("title_stage" if session.lecture() else "title_snapshots"), file="snapshots",
        axes=(p.text("axis_steps"), p.text("axis_correct")), lines=[[lines for lines, _ in row] for row in rows],
        framed=[(row, column) for row, column in np.argwhere(right).tolist()], held=now,
    )  # fmt: skip
    if count > COLUMNS:
        p.write("around", first=first + 1, last=places[-1] + 1, count=count)
    p.write("framed")
    there = snapshot_options.use(trained.name) | {"snapshot": str(saved[0]), "reads": None}
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_link(p.texts["scrub_there"], "snapshots_go", there, "cross_attention", main=True)
        p.write("how_scrub")
    outputs = [
        [name, _written(p, one), number(one.loss), percent(float(np.exp(-one.loss)))]
        for one, name in zip(predictions, names, strict=True)
    ]
    headings = list(p.table("snapshot_columns").values())
    p.html(html_table("draws sentences", headings, outputs, words=(1,), highlighted=now, label="snapshots"))
    _arithmetic(p, predictions[now], step, correct.output[step].label)
    tokenizer = p.view.checkpoint.tokenizer
    p.offer(
        "snapshots", "snapshots", "step own_output loss position correct id log_prob probability top_prediction top_id",
        lambda: (
            [one.step, tokenizer.decode(one.written), one.loss, t + 1, token.text, token.id,
             one.log_probs[t], float(np.exp(float(one.log_probs[t]))), tokenizer.token_text(one.best[t]), one.best[t]]
            for one in predictions for t, token in enumerate(correct.output)
        ),
    )  # fmt: skip
    p.show_code("code_snapshots")


def _offer(p: Page) -> None:
    p.write("none_kept", model=snapshots.split_name(p.view.checkpoint.name)[0])
    for name in snapshot_options.with_snapshots(p.view.checkpoint):
        draw_link(p.text("use_kept", model=name), f"snapshots_{name}", {"model": name})


def _when(p: Page, prediction: SnapshotPrediction) -> str:
    if prediction.step is None:
        return p.text("at_end")
    return p.text("after", step=f"{prediction.step:,}") if prediction.step else p.text("untrained")


def _cell(p: Page, prediction: SnapshotPrediction, t: int, correct: Token) -> tuple[tuple[str, str], str]:
    """The lines of a cell and its hover text."""
    share, right = float(np.exp(np.float64(prediction.log_probs[t]))), prediction.best[t] == correct.id
    instead = vocabulary_label(p.view.checkpoint.tokenizer, prediction.best[t])
    values = {"step": _when(p, prediction), "token": correct.label, "share": percent(share), "instead": instead}
    amount = percent(share) if share >= LEAST else p.text("under", share=f"{100 * LEAST:g} %")
    below = "" if right or session.lecture() else f"({clipped(instead, LETTERS)})"
    return (amount, below), p.text("hover_right" if right else "hover_wrong", **values)


def _written(p: Page, prediction: SnapshotPrediction) -> str:
    """The snapshot's output, or the names of its tokens if that is blank."""
    tokenizer = p.view.checkpoint.tokenizer
    text = tokenizer.decode(prediction.written)
    text = text if text.strip() else " ".join(map(tokenizer.token_text, prediction.written))
    return shortened(text, OUTPUT_LENGTH)


def _arithmetic(p: Page, prediction: SnapshotPrediction, step: int, label: str) -> None:
    total = -float(prediction.log_probs.astype(np.float64).sum())
    p.arithmetic(
        "of_snapshot", name=Raw(_when(p, prediction)), count=len(prediction.log_probs), total=total, loss=prediction.loss,
        at=step + 1, token=tex(label), share=float(np.exp(-prediction.loss)), log=float(prediction.log_probs[step]),
    )  # fmt: skip
