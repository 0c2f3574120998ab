"""A live run as its reader steers it: the settings, the buttons, and in words how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.training.compare_runs import differing, settings_of
from pages.training.controls import D_MODEL, DECAY, GUIDANCE, HEADS, LAYERS, NORM, RATE, SMOOTHING, TASK, UP_TO, WARMUP
from pages.training.jobs import QUEUE, SECONDS, STEPS, Job
from pages.training.steering import loss_said, stands, steer, stop
from viz_core.app import session
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.training.live import HELD_OUT, Recipe, Snapshot, TrainingStep
from viz_core.training.scheduled import DECAYS
from viz_core.training.toy import EXAMPLE, Numbers, solved

LARGE, SMALL, SHORT = 1.0, 0.3, 20
"""A learning rate above, or at most, and a warm-up of at most so much is named where a run fails."""
CUT_SHORT = ("stopped", "unseen", "late")
"""What ends a run before its steps are over: it may not have had enough of them, which says nothing about its settings."""
LEARNED = 0.5
"""Of the held-out sequences: a run that gets less of them right has not learned."""


def settings(p: Page) -> tuple[Recipe, Any]:
    """What the controls ask for, the task in their row, all else behind a button; and the place behind that button."""
    task = TASK.draw(p)
    behind = st.popover(p.texts["settings_title"], icon=":material/tune:")
    with behind, st.container(horizontal=True, width=450):
        layers = LAYERS.draw(p)
        heads = HEADS.draw(p)
        d_model = D_MODEL.draw(p)
        rate = RATE.draw(p)
        warmup = WARMUP.draw(p)
        smoothing = SMOOTHING.draw(p)
        norm = NORM.draw(p)
        decay = DECAY.draw(p)
        own = UP_TO.draw(p)
        guided = GUIDANCE.draw(p)
    recipe = Recipe(
        task=task, n_layers=layers, n_heads=heads, d_model=d_model, learning_rate=float(rate), warmup=warmup,
        smoothing=float(smoothing), norm="post" if norm == "post" else "pre", decay=next(each for each in DECAYS if each == decay),
        own=own / 100,
        guided=float(guided),
    )  # fmt: skip
    return recipe, behind


def buttons(p: Page, job: Job | None, asked: Recipe) -> None:
    """Train; or stop; or go on and start anew. What can be left out is trained without and with in one go."""
    steer(p, job, start, asked)
    if plain(asked) != asked and (job is None or job.resting):
        st.button(p.texts["both"], key="_train_both", on_click=start, args=(plain(asked), asked))


def plain(recipe: Recipe) -> Recipe:
    """The same with teacher forcing alone and no guide."""
    return replace(recipe, decay="off", own=Recipe.own, guided=0.0)


def start(*recipes: Recipe) -> None:
    """New runs in the place of those that this session had: one, before which stands the last that had begun; or two in turn."""
    last = session.get("_training")
    stop()
    jobs = [Job(recipe) for recipe in recipes]
    before = jobs[0] if len(jobs) == 2 else last if last and last.trainer else session.get("_training_before")
    session.change(_training=jobs[-1], _training_before=before)
    for job in jobs:
        QUEUE.put(job)


def look() -> tuple[Job | None, Job | None]:
    """The run on display, which is kept going by this, and the one before it; of two in turn the one that learns."""
    job, before = session.get("_training"), session.get("_training_before")
    for each in (job, before):
        if each:
            each.look()
    if before and not (before.resting or before.stopping):
        return before, None
    return job, before


def told(
    p: Page,
    job: Job | None,
    asked: Recipe,
    shown: Snapshot,
    measured: Sequence[TrainingStep],
    at: TrainingStep | None,
    guessing: float,
) -> None:
    """How the run stands, and what the model on display can do. at: the step on display, None before the first."""
    right = round(shown.accuracy * HELD_OUT)
    values = {"right": right, "count": HELD_OUT, "guessing": number(guessing)}
    can = p.text("now", step=f"{at.step:,}", loss=loss_said(at.loss), **values) if at else p.text("not_yet", **values)
    recipe = job.recipe if job else asked
    mark = p.text("mark_right" if shown.output == solved(recipe.task, EXAMPLE) else "mark_wrong")
    writes = p.text("writes", source=_spelled(p, EXAMPLE), output=_spelled(p, shown.output), mark=mark)
    own: Job | None = session.get("_training")
    after = "  \n" + p.text("first_without", settings=differing(p, own.recipe, recipe)[0]) if own and job is not own else ""
    if job and job.recipe != asked and not after:
        p.write("other_settings" if job.resting else "other_settings_run", settings=Raw(settings_of(p, job.recipe)))
    st.markdown(f"{_stands(p, job)} {can}  \n{writes}{after}")


def _stands(p: Page, job: Job | None) -> str:
    if job is None:
        return p.text("state_none", steps=f"{STEPS:,}", seconds=f"{SECONDS:.0f}")
    why = reason(p, job.recipe)
    said = stands(p, job, why)
    if job.state in (*CUT_SHORT, "done") and job.trainer and job.trainer.snapshots[-1].accuracy < LEARNED:
        said += " " + (p.text("not_learned", reason=why) if job.state == "done" else p.text("not_learned_yet"))
    return said


def reason(p: Page, recipe: Recipe) -> str:
    """The setting that most likely keeps a run from learning, in words."""
    if recipe.learning_rate > LARGE:
        return p.text("reason_rate", rate=f"{recipe.learning_rate:g}")
    if recipe.warmup <= SHORT:
        return p.text("reason_warmup", warmup=recipe.warmup)
    if recipe.learning_rate <= SMALL:
        return p.text("reason_slow", rate=f"{recipe.learning_rate:g}")
    if recipe.guided and recipe.task != "copy":
        return p.text("reason_guided")
    return p.text("reason_none")


def _spelled(p: Page, numbers: Numbers) -> str:
    return " ".join(str(each) if each else "?" for each in numbers) or p.text("nothing")
