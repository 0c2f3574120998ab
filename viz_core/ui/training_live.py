"""What the page on learning shows live: a tiny model that learns while one looks, and afterwards all its steps again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import streamlit as st

from viz_core.config import BOS_ID, EOS_ID
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.curves import Chart, Curve, charts
from viz_core.figures.learning import all_maps, example_map
from viz_core.tokenizer import special
from viz_core.training.live import BATCH, HELD_OUT, LiveTrainer, Measured, Recipe, Snapshot
from viz_core.training.targets import least_loss
from viz_core.training.toy import EXAMPLE, ORDER, VOCABULARY, solved
from viz_core.ui import state
from viz_core.ui.markup import Raw, number
from viz_core.ui.training_jobs import STEPS, Job
from viz_core.ui.training_run import buttons, settings, told
from viz_core.ui.writer import Page

EVERY = 1.0
"""Seconds between two looks at a run."""
DRAWN = 500
"""Points of the loss that are drawn."""
HEIGHT, ON_STAGE = 405, 385
"""Of the two figures, in px; in lecture mode the buttons and what is said stay above them."""
USUAL = 4.0
"""The loss axis reaches so far, and further only where the loss does."""


def show_live(p: Page) -> None:
    """The settings, and a part of the page that alone is drawn anew while a model learns."""
    job: Job | None = state.get("_training")
    with p.controls():
        asked, behind = settings(p)
    with behind:
        part = p.pick("part", _parts(p, job.recipe if job else asked), first=0)
    polling = bool(job and not job.resting)
    st.fragment(_draw, run_every=EVERY if polling else None)(p, asked, part, polling)
    p.write("about_live", batch=BATCH, count=HELD_OUT)
    p.light("code_live")


def _draw(p: Page, asked: Recipe, part: int, polling: bool) -> None:
    job: Job | None = state.get("_training")
    if job:
        job.look()
    resting = job is None or job.resting
    if polling == resting:
        st.rerun()  # of the whole page: it looks again and again while a model learns, and only then
    trainer = job.trainer if job else None
    recipe = job.recipe if job else asked
    snapshots = list(trainer.snapshots) if trainer else [untrained(recipe)[0]]
    measured = list(trainer.measured) if trainer else []
    guessing = trainer.guessing if trainer else untrained(recipe)[1]
    steering, said = st.columns([2 if job and resting else 1, 6], vertical_alignment="center")
    shown = _scrubbed(p, snapshots) if resting and len(snapshots) > 1 else snapshots[-1]
    at = measured[(max(shown.step, 1) if resting else len(measured)) - 1] if measured else None
    with steering, st.container(horizontal=True):
        buttons(p, job, asked)
    with said:
        told(p, job, asked, shown, measured, at, guessing)
    layer, head = surest(snapshots[-1], recipe) if part == 0 else divmod(max(part - 2, 0), recipe.n_heads)
    left, right = st.columns([2, 3])
    with left:
        _curves(p, measured, snapshots, guessing, shown.step if measured and resting else None, job.until if job else STEPS)
    with right:
        _maps(p, recipe, shown, (layer, head), everything=part == 1)
    if part != 1 and not state.get("_lecture"):
        share = float(looks_right(shown, recipe)[layer, head])
        p.write("looks", share=percent(share), equal=percent(1 / (len(EXAMPLE) + 1)))
    if at:
        _arithmetic(p, recipe, at, guessing)


def _scrubbed(p: Page, snapshots: Sequence[Snapshot]) -> Snapshot:
    """The snapshot that the slider is at: the last one until it is moved."""
    steps = [snapshot.step for snapshot in snapshots]
    at = st.select_slider(
        p.texts["scrub"], steps, steps[-1], key=f"_scrub_{steps[-1]}_{len(steps)}", format_func="{:,}".format,
        label_visibility="collapsed",
    )  # fmt: skip
    return snapshots[steps.index(at)]


@lru_cache(16)
def untrained(recipe: Recipe) -> tuple[Snapshot, float]:
    """What a model of this recipe does before its first step, and the loss of guessing."""
    trainer = LiveTrainer(recipe)
    return trainer.snapshots[0], trainer.guessing


def looks_right(snapshot: Snapshot, recipe: Recipe) -> Floats:
    """How much each head looks at the place of the number to be written, in the mean over the numbers, (L, h)."""
    places = ORDER[recipe.task](EXAMPLE)
    return np.asarray(snapshot.weights[:, :, range(len(places)), places].mean(-1))


def surest(snapshot: Snapshot, recipe: Recipe) -> tuple[int, int]:
    """The layer and head that look there most."""
    layer, head = divmod(int(looks_right(snapshot, recipe).argmax()), recipe.n_heads)
    return layer, head


def _parts(p: Page, recipe: Recipe) -> list[str]:
    each = [p.text("one", layer=i + 1, head=j + 1) for i in range(recipe.n_layers) for j in range(recipe.n_heads)]
    return [p.text("surest"), p.text("all"), *each]


def _curves(
    p: Page, measured: Sequence[Measured], snapshots: Sequence[Snapshot], guessing: float, at: int | None, until: int
) -> None:
    thin = measured[:: max(1, -(-len(measured) // DRAWN))]
    finite = [each.loss for each in measured if np.isfinite(each.loss)]
    loss = Curve(
        p.text("name_loss"), [each.step for each in thin], [each.loss for each in thin],
        [p.text("hover_loss", step=f"{each.step:,}", value=number(each.loss)) for each in thin], role="k",
    )  # fmt: skip
    accuracy = Curve(
        p.text("name_accuracy"), [each.step for each in snapshots], [each.accuracy for each in snapshots],
        [p.text("hover_accuracy", step=f"{each.step:,}", value=percent(each.accuracy)) for each in snapshots], role="v", dots=True,
    )  # fmt: skip
    drawn = [
        Chart(p.text("axis_loss"), [loss], (0.0, max(USUAL, *finite, 0.0)), [(guessing, p.text("level_guessing"))]),
        Chart(p.text("axis_accuracy"), [accuracy], (0.0, 1.05), format=".0%"),
    ]
    span = (0.0, float(max(until, len(measured))))
    figure = charts(
        drawn, title=p.text("title_curves"), axis=p.text("steps"), span=span, at=at, height=_height(), palette=p.palette
    )
    p.show(figure, "curves", alone=False)


def _height() -> int:
    return ON_STAGE if state.get("_lecture") else HEIGHT


def _maps(p: Page, recipe: Recipe, shown: Snapshot, at: tuple[int, int], *, everything: bool) -> None:
    bos, eos = special(BOS_ID, 0).label, special(EOS_ID, 0).label
    answer = [str(each) for each in solved(recipe.task, EXAMPLE)]
    queries = [p.text("reads", read=read, write=write) for read, write in zip([bos, *answer], [*answer, eos], strict=True)]
    keys = [*map(str, EXAMPLE), eos]
    axes = (p.text("queries"), p.text("keys"))
    if everything:
        names = [[p.text("short", layer=i + 1, head=j + 1) for j in range(recipe.n_heads)] for i in range(recipe.n_layers)]
        title = p.text("title_maps", step=f"{shown.step:,}")
        figure = all_maps(shown.weights, queries, keys, title=title, names=names, axes=axes, height=_height(), palette=p.palette)
        p.show(figure, "map", alone=False)
        return
    values = {"layer": at[0] + 1, "head": at[1] + 1}
    figure = example_map(
        shown.weights[at], queries, keys, ORDER[recipe.task](EXAMPLE), title=p.text("title_map", step=f"{shown.step:,}", **values),
        where=p.text("where", **values), axes=axes, height=_height(), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "map", alone=False)


def _arithmetic(p: Page, recipe: Recipe, at: Measured, guessing: float) -> None:
    values = {"step": at.step, "d_model": recipe.d_model, "warmup": recipe.warmup, "rate": at.learning_rate, "loss": at.loss}
    factor = Raw(f"{recipe.learning_rate:g}")
    if recipe.smoothing:
        p.arithmetic("of_live_smoothed", **values, factor=factor, guessing=guessing, floor=least_loss(VOCABULARY, recipe.smoothing))
    else:
        p.arithmetic("of_live", **values, factor=factor, guessing=guessing, p=float(np.exp(-at.loss)))
