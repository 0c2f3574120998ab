"""Controls of a fine-tuning run: its settings, its buttons, and its state in words."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.training.controls import MIX, TUNING_RATE, UPDATED
from pages.training.fine_tuning_save import keep_or_download
from pages.training.jobs import QUEUE, SECONDS, TrainingRun
from pages.training.steering import pick_step, state_text, steer, stop
from viz_core.app import models, session
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.texts import fill
from viz_core.training.material import OURS, Material
from viz_core.training.tuning import PARTS, Evaluation, PairScore, Tuner, Tuning

LARGE = 0.001
"""A greater learning rate is named as the reason of a failure."""


class TuningJob(TrainingRun):
    """Fine-tuning of a copy of a trained model."""

    recipe: Tuning
    trainer: Tuner | None
    learner = Tuner
    steps = 60
    heavy = True

    def end_sitting(self) -> None:
        """Evaluates the model, or releases it where it diverged."""
        if self.trainer and self.trainer.diverged:
            self.trainer.release()
        elif self.trainer:
            self.trainer.evaluate_now()

    def release(self) -> None:
        """Frees the weights and Adam's moments; what was measured stays on the page."""
        if self.trainer:
            self.trainer.release()
        self.state = "forgotten"


def settings(p: Page, material: Material) -> Tuning:
    """What the controls ask for."""
    with st.popover(p.texts["settings_title"], icon=":material/tune:"), st.container(horizontal=True, width=430):
        rate = TUNING_RATE.draw(p)
        part = UPDATED.draw(p)
        mix = MIX.draw(p) if material.more else "alone"
    return Tuning(
        checkpoint=p.view.checkpoint, material=material, learning_rate=float(rate),
        part=next(each for each in PARTS if each == part), mixed=mix == "mixed",
    )  # fmt: skip


def start(tuning: Tuning) -> None:
    """Queues a new run in place of the one of this session."""
    stop()
    job = TuningJob(tuning)
    session.change(_tuning=job, _tuning_kept=None)
    QUEUE.put(job)


def steered(p: Page, job: TuningJob | None, asked: Tuning, evaluations: Sequence[Evaluation]) -> Evaluation:
    """The buttons, the state, and once the run rests a slider over its evaluations; the one that is on display."""
    resting = job is None or job.resting
    scrubs = resting and len(evaluations) > 1
    with st.container(horizontal=True, vertical_alignment="center"):
        steer(p, job, start, asked)
        if job and job.resting and job.trainer and job.trainer.model is not None and job.trainer.measured:
            keep_or_download(p, job.trainer)
        shown = pick_step(p, evaluations) if scrubs else evaluations[-1]
        beside = st.container()
    with st.container() if scrubs else beside:
        st.markdown(f"{_state(p, job)}  \n{_measured(p, evaluations[0], shown)}")
    if job and job.recipe != asked:
        p.write("other_tuning", settings=Raw(_in_words(p, job.recipe)))
    return shown


def _state(p: Page, job: TuningJob | None) -> str:
    if job is None:
        return fill(p.texts["states"]["trained"], {"steps": TuningJob.steps, "seconds": f"{SECONDS:.0f}"})
    rate, kept = job.recipe.learning_rate, session.get("_tuning_kept")
    state = state_text(p, job, p.text("reason_lr", rate=f"{rate:g}") if rate > LARGE else p.text("reason_pairs"))
    return f"{state} {p.text('kept', name=markdown(kept))}" if kept and models.is_lent(kept) else state


def _measured(p: Page, first: Evaluation, shown: Evaluation) -> str:
    gained, lost = ("gained", "lost") if shown.step else ("begins", "begins_everyday")
    values = {"step": f"{shown.step:,}", "held_out": the_held_out(p, len(first.held_out.outputs))}
    said = p.text(gained, **values, **_change(first.held_out, shown.held_out))
    if first.everyday and shown.everyday:
        said += " · " + p.text(lost, **_change(first.everyday, shown.everyday))
    return said


def the_held_out(p: Page, count: int) -> str:
    """The number of held-out sentences, in words."""
    return p.text("the_held_out_one" if count == 1 else "the_held_out", count=count)


def _change(first: PairScore, now: PairScore) -> dict[str, str]:
    return {"first": f"{first.bleu:.1f}", "now": f"{now.bleu:.1f}", "right": str(now.right)}


def _in_words(p: Page, tuning: Tuning) -> str:
    name = tuning.material.name
    return p.text(
        "tuning_settings", model=markdown(tuning.checkpoint.name), pairs=p.text("chess") if name == OURS else markdown(name),
        rate=f"{tuning.learning_rate:g}", part=p.text(tuning.part), mixed=p.text("mixed" if tuning.mixed else "alone"),
    )  # fmt: skip
