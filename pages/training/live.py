"""What the page on learning shows live: a tiny model that learns while one looks, and afterwards all its steps again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import streamlit as st

from pages.training.additions import added
from pages.training.compare_runs import compared
from pages.training.controls import PART
from pages.training.jobs import STEPS, Job
from pages.training.live_curves import Seen, curves
from pages.training.live_figure import all_maps, example_map
from pages.training.run import buttons, look, plain, settings, told
from pages.training.steering import EVERY, scrubbed
from viz_core.app import session
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.config import BOS_ID, EOS_ID
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.tokenizer import special
from viz_core.training.guided import penalty_matrix
from viz_core.training.live import BATCH, HELD_OUT, LiveTrainer, Recipe, Snapshot, TrainingStep
from viz_core.training.loss import least_loss
from viz_core.training.toy import EXAMPLE, ORDER, VOCABULARY, solved

HEADS = 2
"""Of the parts on offer, the first that is one head: before it stand the surest one, and all."""
HEIGHT, ON_STAGE = 370, 370
"""Of the two figures, in px; in lecture mode the buttons and what is said stay above them."""


def show_live(p: Page) -> None:
    """The settings, and a part of the page that alone is drawn anew while a model learns."""
    job, _ = look()
    with p.controls():
        asked, behind = settings(p)
    with behind:
        part = PART.draw(p, _parts(p, job.recipe if job else asked))
    polling = bool(job and not job.resting)
    st.fragment(_draw, run_every=EVERY if polling else None)(p, asked, part, polling)
    p.write("about_live", batch=BATCH, count=HELD_OUT)
    p.light("code_live")


def _draw(p: Page, asked: Recipe, part: int, polling: bool) -> None:
    job, before = look()
    resting = job is None or job.resting
    if polling == resting or session.get(f"{p.name}_part") != part:
        st.rerun()  # of the whole page: it looks again and again while a model learns, and only then; or a head was clicked
    trainer = job.trainer if job else None
    recipe = job.recipe if job else asked
    run = Seen.of(trainer) if trainer else Seen(recipe, [], [untrained(recipe)[0]])
    old = Seen.of(before.trainer) if before and before.trainer else None
    guessing = trainer.guessing if trainer else untrained(recipe)[1]
    shown, at = _steered(p, job, asked, run, guessing)
    layer, head = surest(run.snapshots[-1], recipe) if part == 0 else divmod(max(part - HEADS, 0), recipe.n_heads)
    left, right = st.columns([2, 3])
    with left:
        step = shown.step if run.measured and resting else None
        p.show(curves(p, run, old, guessing, step, job.until if job else STEPS, _height()), "curves", alone=False)
    with right:
        _maps(p, recipe, shown, (layer, head), everything=part == 1)
    if session.get("_lecture"):
        return
    if part != 1:
        share = float(looks_right(shown, recipe)[layer, head])
        p.write("looks", share=percent(share), equal=percent(1 / (len(EXAMPLE) + 1)))
    compared(p, run, old)
    if at:
        added(p, recipe, at)
        _arithmetic(p, recipe, at, guessing)


def _steered(p: Page, job: Job | None, asked: Recipe, run: Seen, guessing: float) -> tuple[Snapshot, TrainingStep | None]:
    """The buttons, how the run stands, and once it rests a slider over its snapshots; the one that is picked, and its step."""
    resting = job is None or job.resting
    scrubs = resting and len(run.snapshots) > 1
    steering, beside = st.columns([_room(job, asked), 6], vertical_alignment="center")
    with steering, st.container(horizontal=True):
        buttons(p, job, asked)
    with beside:
        shown = scrubbed(p, run.snapshots) if scrubs else run.snapshots[-1]
    at = run.measured[(max(shown.step, 1) if resting else len(run.measured)) - 1] if run.measured else None
    with st.container() if scrubs else beside:
        told(p, job, asked, shown, run.measured, at, guessing)
    return shown, at


def _room(job: Job | None, asked: Recipe) -> float:
    """For the buttons, beside the six parts for what stands next to them."""
    shown = 1 if job is None else 2 if job.resting else 0
    return 1 + shown + 1.5 * (plain(asked) != asked and bool(shown))


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


def _height() -> int:
    return ON_STAGE if session.get("_lecture") else HEIGHT


def _maps(p: Page, recipe: Recipe, shown: Snapshot, at: tuple[int, int], *, everything: bool) -> None:
    bos, eos = special(BOS_ID, 0).label, special(EOS_ID, 0).label
    answer = [str(each) for each in solved(recipe.task, EXAMPLE)]
    queries = [p.text("reads", read=read, write=write) for read, write in zip([bos, *answer], [*answer, eos], strict=True)]
    keys = [*map(str, EXAMPLE), eos]
    axes = (p.text("queries"), p.text("keys"))
    if everything:
        names = [[p.text("short", layer=i + 1, head=j + 1) for j in range(recipe.n_heads)] for i in range(recipe.n_layers)]
        title = p.text("title_maps", step=f"{shown.step:,}")
        figure = all_maps(
            shown.weights, queries, keys, title=title, names=names, axes=axes, height=_height(), first=HEADS, palette=p.palette
        )
        p.show(figure, "maps", clicks="part", alone=False)
        return
    values = {"layer": at[0] + 1, "head": at[1] + 1}
    figure = example_map(
        shown.weights[at], queries, keys, ORDER[recipe.task](EXAMPLE), title=p.text("title_map", step=f"{shown.step:,}", **values),
        where=p.text("where", **values), axes=axes, height=_height(), palette=p.palette,
        cost=penalty_matrix(len(queries), len(keys)) if recipe.guided else None,
    )  # fmt: skip
    p.show(figure, "map", alone=False)


def _arithmetic(p: Page, recipe: Recipe, at: TrainingStep, guessing: float) -> None:
    values = {"step": at.step, "d_model": recipe.d_model, "warmup": recipe.warmup, "rate": at.learning_rate, "loss": at.loss}
    factor = Raw(f"{recipe.learning_rate:g}")
    if recipe.smoothing:
        p.arithmetic("of_live_smoothed", **values, factor=factor, guessing=guessing, floor=least_loss(VOCABULARY, recipe.smoothing))
    else:
        p.arithmetic("of_live", **values, factor=factor, guessing=guessing, p=float(np.exp(-at.loss)))
