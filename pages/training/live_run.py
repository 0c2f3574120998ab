"""Controls of a live run: its settings, its buttons, and its state in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.training.compare_runs import differing, in_words
from pages.training.controls import D_MODEL, DECAY, GUIDANCE, HEADS, LAYERS, NORM, RATE, SMOOTHING, TASK, UP_TO, WARMUP
from pages.training.jobs import QUEUE, SECONDS, STEPS, Job
from pages.training.steering import loss_text, state_text, steer, stop
from viz_core.app import session
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.texts import fill
from viz_core.training.live import HELD_OUT, Recipe, Snapshot, TrainingStep
from viz_core.training.toy import EXAMPLE, Numbers, solved

LARGE, SMALL, SHORT = 1.0, 0.3, 20
"""A learning rate above the first or at most the second, or a warm-up of at most the third, is named as the reason of a failure."""
CUT_SHORT = ("stopped", "unseen", "late")
"""Ends before the last step: too few steps say nothing about the settings."""
LEARNED = 0.5
"""A run with a smaller share of the held-out sequences correct has not learned the task."""


def settings(p: Page) -> tuple[Recipe, Any]:
    """What the controls ask for: the task in the row, all else behind a button; and the place behind that button."""
    task = TASK.draw(p)
    behind = st.popover(p.texts["settings_title"], icon=":material/tune:")
    with behind, st.container(horizontal=True, width=450):
        others: dict[str, Any] = {
            "n_layers": LAYERS.draw(p), "n_heads": HEADS.draw(p), "d_model": D_MODEL.draw(p), "learning_rate": float(RATE.draw(p)),
            "warmup": WARMUP.draw(p), "smoothing": float(SMOOTHING.draw(p)), "norm": NORM.draw(p), "decay": DECAY.draw(p),
            "own": UP_TO.draw(p) / 100, "guided": float(GUIDANCE.draw(p)),
        }  # fmt: skip
    return Recipe(task=task, **others), behind


def buttons(p: Page, job: Job | None, asked: Recipe) -> None:
    """Train; or stop; or continue and start over. An added method can be trained without and with it in one go."""
    steer(p, job, start, asked)
    if teacher_forced(asked) != asked and (job is None or job.resting):
        st.button(p.texts["both"], key="_train_both", on_click=start, args=(teacher_forced(asked), asked))


def teacher_forced(recipe: Recipe) -> Recipe:
    """The same recipe with teacher forcing alone and without guided attention."""
    return replace(recipe, decay="off", own=Recipe.own, guided=0.0)


def start(*recipes: Recipe) -> None:
    """New runs in place of those of this session: one, compared with the last that had begun; or two in turn."""
    last = session.get("_training")
    stop()
    jobs = [Job(recipe) for recipe in recipes]
    before = jobs[0] if len(jobs) == 2 else last if last and last.trainer else session.get("_training_before")
    session.change(_training=jobs[-1], _training_before=before)
    for job in jobs:
        QUEUE.put(job)


def current_runs() -> tuple[Job | None, Job | None]:
    """The run on display and the one before it, both kept going by this heartbeat; of two in turn the one that is training."""
    job, before = session.get("_training"), session.get("_training_before")
    for each in (job, before):
        if each:
            each.heartbeat()
    if before and not (before.resting or before.stopping):
        return before, None
    return job, before


def write_state(p: Page, job: Job | None, asked: Recipe, shown: Snapshot, at: TrainingStep | None, guessing: float) -> None:
    """The state of the run, and what the model on display can do. at: the step on display, None before the first."""
    right = round(shown.accuracy * HELD_OUT)
    values = {"right": right, "count": HELD_OUT, "guessing": number(guessing)}
    can = p.text("now", step=f"{at.step:,}", loss=loss_text(at.loss), **values) if at else p.text("not_yet", **values)
    recipe = job.recipe if job else asked
    mark = p.text("mark_right" if shown.output == solved(recipe.task, EXAMPLE) else "mark_wrong")
    writes = p.text("writes", source=_spelled(p, EXAMPLE), output=_spelled(p, shown.output), mark=mark)
    own: Job | None = session.get("_training")
    after = "  \n" + p.text("first_without", settings=differing(p, own.recipe, recipe)[0]) if own and job is not own else ""
    if job and job.recipe != asked and not after:
        p.write("other_settings" if job.resting else "other_settings_run", settings=Raw(in_words(p, job.recipe)))
    st.markdown(f"{_state(p, job)} {can}  \n{writes}{after}")


def _state(p: Page, job: Job | None) -> str:
    if job is None:
        return fill(p.texts["states"]["untrained"], {"steps": f"{STEPS:,}", "seconds": f"{SECONDS:.0f}"})
    why = reason(p, job.recipe)
    text = state_text(p, job, why)
    if job.state in (*CUT_SHORT, "done") and job.trainer and job.trainer.snapshots[-1].accuracy < LEARNED:
        text += " " + (p.text("not_learned", reason=why) if job.state == "done" else p.text("not_learned_yet"))
    return text


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
