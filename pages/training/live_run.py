"""A live run: its settings, buttons and state, and the previous run for comparison."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.training.compute import MOST_CORRECT, RunHistory, example_penalty
from pages.training.controls import (
    D_MODEL,
    DECAY,
    GUIDANCE,
    HEADS,
    LAYERS,
    NORM,
    RATE,
    SMOOTHING,
    TASK,
    UP_TO,
    WARMUP,
    state_text,
    steer,
    stop,
)
from pages.training.jobs import QUEUE, SECONDS, STEPS, Job
from viz_core.app import session
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.texts import enumerated, fill
from viz_core.training.live import HELD_OUT, Recipe, Snapshot
from viz_core.training.pairs import EXAMPLE, Numbers, solved
from viz_core.training.run import TrainingStep

LARGE, SMALL, SHORT = 1.0, 0.3, 20
"""A learning rate above the first or up to the second, or a warm-up up to the third, is named as the cause of a failure."""
CUT_SHORT = ("stopped", "unseen", "late")
"""States that end a run early: too few steps say nothing about the settings."""
LEARNED = 0.5
"""A run with a smaller share of the held-out sequences correct has not learned its task."""


def settings(p: Page) -> tuple[Recipe, Any]:
    """The settings chosen in the controls (the task in the row, the others in a popover), and that popover."""
    task = TASK.draw(p)
    behind = st.popover(p.texts["settings_title"], icon=":material/tune:")
    with behind, st.container(horizontal=True, width=450):
        others: dict[str, Any] = {
            "n_layers": LAYERS.draw(p), "n_heads": HEADS.draw(p), "d_model": D_MODEL.draw(p), "learning_rate": float(RATE.draw(p)),
            "warmup": WARMUP.draw(p), "smoothing": float(SMOOTHING.draw(p)), "norm": NORM.draw(p), "decay": DECAY.draw(p),
            "own": UP_TO.draw(p) / 100, "guided": float(GUIDANCE.draw(p)),
        }  # fmt: skip
    return Recipe(task=task, **others), behind


def buttons(p: Page, job: Job | None, wanted: Recipe) -> None:
    """Train; or stop; or continue and start over. If a method is added, one button trains first without and then with it."""
    steer(p, job, start, wanted)
    if teacher_forced(wanted) != wanted and (job is None or job.resting):
        st.button(p.texts["both"], key="_train_both", on_click=start, args=(teacher_forced(wanted), wanted))


def teacher_forced(recipe: Recipe) -> Recipe:
    """The same recipe without scheduled sampling and guided attention."""
    return replace(recipe, decay="off", own=Recipe.own, guided=0.0)


def start(*recipes: Recipe) -> None:
    """Starts one run, compared with the session's last one that had begun, or two in turn."""
    last = session.get("_training")
    stop()
    jobs = [Job(recipe) for recipe in recipes]
    before = jobs[0] if len(jobs) == 2 else last if last and last.trainer else session.get("_training_before")
    session.change(_training=jobs[-1], _training_before=before, _trains=True)
    for job in jobs:
        QUEUE.put(job)


def current_runs() -> tuple[Job | None, Job | None]:
    """The current run and the one before it, after sending both a heartbeat; of two in turn, the one that is training."""
    job, before = session.get("_training"), session.get("_training_before")
    for run in (job, before):
        if run:
            run.heartbeat()
    if before and not (before.resting or before.stopping):
        return before, None
    return job, before


def write_state(p: Page, job: Job | None, wanted: Recipe, shown: Snapshot, at: TrainingStep | None, guessing: float) -> None:
    """The state of the run, and what the current snapshot can do. at: the current step, None before the first."""
    right = round(shown.accuracy * HELD_OUT)
    values = {"right": right, "count": HELD_OUT, "guessing": number(guessing)}
    can = p.text("now", step=f"{at.step:,}", loss=number(at.loss), **values) if at else p.text("not_yet", **values)
    recipe = job.recipe if job else wanted
    mark = p.text("mark_right" if shown.output == solved(recipe.task, EXAMPLE) else "mark_wrong")
    writes = p.text("writes", source=_spelled(p, EXAMPLE), output=_spelled(p, shown.output), mark=mark)
    own: Job | None = session.get("_training")
    after = "  \n" + p.text("first_without", settings=differing(p, own.recipe, recipe)[0]) if own and job is not own else ""
    if job and job.recipe != wanted and not after:
        p.write("other_settings" if job.resting else "other_settings_run", settings=Raw(in_words(p, job.recipe)))
    st.container(key="_state").markdown(f"{_state(p, job)} {can}  \n{writes}{after}")


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
    return " ".join(str(digit) if digit else "?" for digit in numbers) or p.text("nothing")


def compare(p: Page, run: RunHistory, before: RunHistory | None) -> None:
    """A table with a line for each run that has begun, and which of two learned first."""
    runs = [begun for begun in (run, before) if begun and begun.measured]
    special = any(begun.recipe.guided or begun.recipe.decay != "off" for begun in runs)
    if not runs or not (before or special):
        return
    this, other = differing(p, run.recipe, before.recipe) if before else (in_words(p, run.recipe), "")
    names = [p.text("run_this", settings=this), p.text("run_before", settings=other)]
    names = [name for name, begun in zip(names, (run, before), strict=True) if begun and begun.measured]
    heads = list(p.table("run_columns", share=percent(MOST_CORRECT)).values())
    lines = [heads, ["---"] * len(heads), *(_line(p, name, begun) for name, begun in zip(names, runs, strict=True))]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
    if len(runs) == 2:
        _verdict(p, runs[0], runs[1])


def _line(p: Page, name: str, run: RunHistory) -> list[str]:
    last, gap = run.snapshots[-1], run.widest_gap
    reached = run.learned_at
    return [
        name, f"{len(run.measured):,}", p.text("at_step", step=f"{reached:,}") if reached is not None else p.text("not_reached"),
        p.text("right_of", right=round(last.accuracy * HELD_OUT), count=HELD_OUT),
        p.text("gap", forced=percent(gap.teacher_forced), free=percent(gap.free_running), step=f"{gap.step:,}"),
        number(example_penalty(last)),
    ]  # fmt: skip


def _verdict(p: Page, run: RunHistory, before: RunHistory) -> None:
    """Which of two runs learned the task first; nothing if neither has yet."""
    first, second = run.learned_at, before.learned_at
    if run.recipe.task != before.recipe.task:
        p.write("verdict_tasks")
    elif first is not None and second is not None:
        p.write("verdict_both", this=f"{first:,}", before=f"{second:,}", share=percent(MOST_CORRECT))
    elif first is not None and len(before.measured) >= first:
        p.write("verdict_this", this=f"{first:,}", before=f"{len(before.measured):,}", share=percent(MOST_CORRECT))
    elif second is not None and len(run.measured) >= second:
        p.write("verdict_before", this=f"{len(run.measured):,}", before=f"{second:,}", share=percent(MOST_CORRECT))


def parts(p: Page, recipe: Recipe) -> dict[str, str]:
    """Each setting in words."""
    texts = p.texts["setting"]

    def text(key: str, value: object = None) -> str:
        return fill(texts[key], {"value": value})

    return {
        "task": p.text(recipe.task),
        "layers": text("layers" if recipe.n_layers > 1 else "layer", recipe.n_layers),
        "heads": text("heads" if recipe.n_heads > 1 else "head", recipe.n_heads),
        "d_model": text("d_model", recipe.d_model),
        "rate": text("rate", f"{recipe.learning_rate:g}"),
        "warmup": text("warmup", recipe.warmup),
        "smoothing": text("smoothing", f"{recipe.smoothing:g}"),
        "norm": p.text(recipe.norm),
        "decay": fill(texts["own_words"][recipe.decay], {"share": percent(recipe.own)}),
        "guided": text("guided", f"{recipe.guided:g}") if recipe.guided else text("unguided"),
    }


def in_words(p: Page, recipe: Recipe) -> str:
    """All settings in words, without methods that are off."""
    off = {"decay": recipe.decay == "off", "guided": not recipe.guided}
    return enumerated(words for name, words in parts(p, recipe).items() if not off.get(name))


def differing(p: Page, one: Recipe, other: Recipe) -> tuple[str, str]:
    """The settings in which two runs differ, in words for each run."""
    here, there = parts(p, one), parts(p, other)
    names = [name for name in here if here[name] != there[name]]
    same = p.text("same_settings")
    return enumerated(here[name] for name in names) or same, enumerated(there[name] for name in names) or same
