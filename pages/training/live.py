"""A tiny model that learns while one watches, and afterwards its whole run, step by step."""

from typing import Any

import numpy as np
import streamlit as st

from pages.training.compute import RunHistory, answer_penalty, attention_on_answer, most_accurate_head, untrained
from pages.training.controls import EVERY, PART, pick_step
from pages.training.figures import CurveChart, curve_charts, show_all_heads, show_example, step_curve
from pages.training.jobs import STEPS, Job
from pages.training.live_run import buttons, compare, current_runs, settings, teacher_forced, write_state
from viz_core.app import session
from viz_core.app.cache import cached_aside
from viz_core.app.csv_files import Lines, cells
from viz_core.app.markup import Raw
from viz_core.app.page import Page, repeated
from viz_core.config import BOS_ID, EOS_ID
from viz_core.figures.base import percent, percent_ticks
from viz_core.figures.figure import Figure
from viz_core.tokenizer.bpe import SPECIAL
from viz_core.training.live import BATCH, HELD_OUT, Recipe, Snapshot
from viz_core.training.loss import least_loss, penalty_matrix
from viz_core.training.pairs import EXAMPLE, ORDER, VOCABULARY, solved
from viz_core.training.run import TrainingStep
from viz_core.training.scheduled import RISE, SLOWNESS, sampling_share

FIRST_HEAD = 2
"""The index of the first head in the list of parts, after the most accurate one and all."""
HEIGHT = 370
"""Of the curves, in px: in lecture mode the buttons and the state stay visible above them."""
HOVERS = ("hover_loss", "hover_accuracy")
DRAWN = 500
"""Points of the loss that are drawn."""
USUAL_LOSS = 4.0
"""The top of the loss axis, unless the loss of the run on display is higher."""


def show_live(p: Page) -> None:
    """The settings, and the part of the page that is redrawn while a model learns."""
    job, _ = current_runs()
    with p.controls():
        wanted, behind = settings(p)
    with behind:
        part = PART.draw(p, _parts(p, job.recipe if job else wanted))
    polling = bool(job and not job.resting)
    _offer(p, job)
    repeated(_draw, EVERY if polling else None)(p, wanted, part, polling)
    p.write("about_live", batch=BATCH, count=HELD_OUT)


def _offer(p: Page, job: Job | None) -> None:
    if job and (trainer := job.trainer):
        run = RunHistory.of(trainer)
        last, reads = run.snapshots[-1], ["", *map(str, solved(run.recipe.task, EXAMPLE))]
        columns = "step loss learning_rate own_words guided_penalty sequence_accuracy token_accuracy token_accuracy_free_running"
        p.offer("live", "run", columns, lambda: _steps(RunHistory.of(trainer)))
        p.offer(
            "attention", f"attention-step{last.step}", "layer head query_index reads key_index source weight",  # start and end: ""
            lambda: cells([None, None, reads, [*map(str, EXAMPLE), ""]], last.weights.astype(float)), step=f"{last.step:,}",
        )  # fmt: skip


def _steps(run: RunHistory) -> Lines:
    """Each step of the run; the accuracies are empty between its snapshots."""
    accuracies = {one.step: (one.accuracy, one.teacher_forced, one.free_running) for one in run.snapshots}
    for step in run.measured:
        yield [step.step, step.loss, step.learning_rate, step.own, step.paid, *accuracies.get(step.step, (None,) * 3)]


def _draw(p: Page, wanted: Recipe, part: int, polling: bool) -> None:
    if polling:
        p.drawn.clear()  # of the last poll
    job, before = current_runs()
    resting = job is None or job.resting
    if polling == resting:
        st.rerun()  # the whole page: polling begins or ends with the training
    trainer = job.trainer if job else None
    recipe = job.recipe if job else wanted
    run = RunHistory.of(trainer) if trainer else RunHistory(recipe, [], [cached_aside(untrained, recipe)[0]])
    old = RunHistory.of(before.trainer) if before and before.trainer else None
    guessing = trainer.guessing if trainer else cached_aside(untrained, recipe)[1]
    shown, at = _steered(p, job, wanted, run, guessing)
    layer, head = most_accurate_head(run.snapshots[-1], recipe) if part == 0 else divmod(max(part - FIRST_HEAD, 0), recipe.n_heads)
    left, right = st.columns([2, 3])
    with left:
        step = shown.step if run.measured and resting else None
        p.show(_curves(p, run, old, guessing, step, job.until if job else STEPS), "curves", alone=False)
    with right:
        _maps(p, recipe, shown, (layer, head), everything=part == 1)
    if session.lecture():
        return
    if part != 1:
        share = float(attention_on_answer(shown, recipe)[layer, head])
        p.write("looks", share=percent(share), equal=percent(1 / (len(EXAMPLE) + 1)))
    compare(p, run, old)
    if at:
        _write_methods(p, recipe, at)
        _arithmetic(p, recipe, at, guessing)


def _steered(p: Page, job: Job | None, wanted: Recipe, run: RunHistory, guessing: float) -> tuple[Snapshot, TrainingStep | None]:
    """The buttons, the state, and once the run rests a slider over its snapshots; the one that is picked, and its step."""
    resting = job is None or job.resting
    scrubs = resting and len(run.snapshots) > 1
    steering, beside = st.columns([_width(job, wanted), 6], vertical_alignment="center")
    with steering, st.container(horizontal=True):
        buttons(p, job, wanted)
    with beside:
        shown = pick_step(p, run.snapshots) if scrubs else run.snapshots[-1]
    at = run.measured[(max(shown.step, 1) if resting else len(run.measured)) - 1] if run.measured else None
    with st.container() if scrubs else beside:
        write_state(p, job, wanted, shown, at, guessing)
    return shown, at


def _width(job: Job | None, wanted: Recipe) -> float:
    """The width of the buttons, beside a column of width 6."""
    count = 1 if job is None else 2 if job.resting else 0
    return 1 + count + 1.5 * (teacher_forced(wanted) != wanted and bool(count))


def _parts(p: Page, recipe: Recipe) -> list[str]:
    names = [p.text("one", layer=i + 1, head=j + 1) for i in range(recipe.n_layers) for j in range(recipe.n_heads)]
    return [p.text("best_head"), p.text("all"), *names]


def _curves(p: Page, run: RunHistory, before: RunHistory | None, guessing: float, at: int | None, until: int) -> Figure:
    """Loss above, accuracy below, the run before faint. at: the step on display; until: the least end of the axis."""
    end = max(until, len(run.measured), len(before.measured) if before else 0)
    losses, accuracies = [], []
    for shown in (run, before):
        if shown:
            look: dict[str, Any] = {"faint": shown is before, "dash": int(shown is before)}
            texts = [p.text("hover_before", said=p.texts[key]) if shown is before else p.texts[key] for key in HOVERS]
            drawn = shown.measured[:: max(1, -(-len(shown.measured) // DRAWN))]
            points = [(step.step, step.loss) for step in drawn]
            losses.append(step_curve(p.text("name_loss"), points, texts[0], role="k", **look))
            points = [(snapshot.step, snapshot.accuracy) for snapshot in shown.snapshots]
            accuracies.append(step_curve(p.text("name_accuracy"), points, texts[1], percent, role="v", dots=shown is run, **look))
    if run.recipe.decay != "off":  # the whole schedule, which is known in advance
        steps = sorted({1, end, *np.linspace(1, end, 100).astype(int).tolist()})
        points = [(step, sampling_share(run.recipe.decay, step, run.recipe.own)) for step in steps]
        name = p.text("name_own_words")
        accuracies.append(step_curve(name, points, p.texts["hover_own"], percent, role="output", dash=2, labelled=True))
    top = max(USUAL_LOSS, *(value for value in losses[0].y if np.isfinite(value)), 0.0)
    charts = [
        CurveChart(p.text("axis_loss"), losses[::-1], (0.0, top)),
        CurveChart(p.text("axis_accuracy"), accuracies[::-1], (0.0, 1.05), percent_ticks(0, 0.5, 1)),
    ]
    return curve_charts(
        charts, title=p.text("title_curves_before" if before else "title_curves"), axis=p.text("steps"), end=end, at=at,
        level=(guessing, p.text("level_guessing")), height=HEIGHT, palette=p.palette,
    )  # fmt: skip


def _maps(p: Page, recipe: Recipe, shown: Snapshot, at: tuple[int, int], *, everything: bool) -> None:
    bos, eos = SPECIAL[BOS_ID], SPECIAL[EOS_ID]
    answer = [str(number) for number in solved(recipe.task, EXAMPLE)]
    queries = [p.text("reads", read=read, write=write) for read, write in zip([bos, *answer], [*answer, eos], strict=True)]
    keys = [*map(str, EXAMPLE), eos]
    axes = (p.text("reads_axis"), p.text("source"))
    if everything:
        names = [[p.text("short", layer=i + 1, head=j + 1) for j in range(recipe.n_heads)] for i in range(recipe.n_layers)]
        title = p.text("title_maps", step=f"{shown.step:,}")
        show_all_heads(p, shown.weights, queries, keys, title=title, names=names, axes=axes, first=FIRST_HEAD + PART.first)
        return
    values = {"layer": at[0] + 1, "head": at[1] + 1}
    title, where = p.text("title_map", step=f"{shown.step:,}", **values), p.text("where", **values)
    cost = penalty_matrix(len(queries), len(keys)) if recipe.guided else None
    show_example(
        p, shown.weights[at], queries, keys, ORDER[recipe.task](EXAMPLE), title=title, where=where, axes=axes, cost=cost
    )  # fmt: skip


def _write_methods(p: Page, recipe: Recipe, at: TrainingStep) -> None:
    """Scheduled sampling and guided attention with the numbers of this step, each where the recipe has it."""
    if recipe.decay != "off":
        values = {"step": f"{at.step:,}", "share": percent(at.own), "most": percent(recipe.own), "rise": RISE, "k": SLOWNESS}
        p.write("about_scheduled", step=f"{at.step:,}", formula=Raw(p.table("own_share", **values)[recipe.decay]))
    if at.paid is not None:
        p.write("about_guide", factor=f"{recipe.guided:g}", step=f"{at.step:,}", paid=at.paid)
        cost = answer_penalty(recipe)
        p.write("right_is_free" if cost == 0 else "right_is_dear", cost=cost, task=p.texts[recipe.task])


def _arithmetic(p: Page, recipe: Recipe, at: TrainingStep, guessing: float) -> None:
    values = {"step": at.step, "d_model": recipe.d_model, "warmup": recipe.warmup, "rate": at.learning_rate, "loss": at.loss}
    factor = Raw(f"{recipe.learning_rate:g}")
    if recipe.smoothing:
        p.arithmetic("of_live_smoothed", **values, factor=factor, guessing=guessing, floor=least_loss(VOCABULARY, recipe.smoothing))
    else:
        p.arithmetic("of_live", **values, factor=factor, guessing=guessing, p=float(np.exp(-at.loss)))
