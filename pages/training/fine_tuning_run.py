"""A fine-tuning as its reader steers it: the settings, the buttons, and in words how it stands."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.training.controls import MIX, TUNING_RATE, UPDATED
from pages.training.fine_tuning_save import keep_or_take
from pages.training.jobs import QUEUE, SECONDS, Run
from pages.training.steering import scrubbed, stands, steer, stop
from viz_core.app import models, session
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.training.material import OURS, Material
from viz_core.training.tuning import PARTS, Evaluation, PairScore, Tuner, Tuning

LARGE = 0.001
"""A learning rate above is named where a run fails."""


class TuningJob(Run[Tuning, Tuner]):
    """A copy of a trained model that learns more."""

    steps = 60
    heavy = True

    def begin(self) -> Tuner:
        """The copy, before its first step."""
        return Tuner(self.recipe)

    def settle(self) -> None:
        """Measures where it stands; what diverged is of no use any more."""
        if self.trainer and self.trainer.diverged:
            self.trainer.release()
        elif self.trainer:
            self.trainer.evaluate_now()

    def let_go(self) -> None:
        """Weights and Adam's memory of them; what was measured stays on the page."""
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
    """A new run in the place of what this session trained."""
    stop()
    job = TuningJob(tuning)
    session.change(_tuning=job, _tuning_kept=None)
    QUEUE.put(job)


def steered(p: Page, job: TuningJob | None, asked: Tuning, looks: Sequence[Evaluation]) -> Evaluation:
    """The buttons, how the run stands, and once it rests a slider over its measurements; the one that is on display."""
    resting = job is None or job.resting
    scrubs = resting and len(looks) > 1
    with st.container(horizontal=True, vertical_alignment="center"):
        steer(p, job, start, asked)
        if job and job.resting and job.trainer and job.trainer.model is not None and job.trainer.measured:
            keep_or_take(p, job.trainer)
        shown = scrubbed(p, looks) if scrubs else looks[-1]
        beside = st.container()
    with st.container() if scrubs else beside:
        st.markdown(f"{_stands(p, job)} {_kept(p)}  \n{_measured(p, looks[0], shown)}")
    if job and job.recipe != asked:
        p.write("other_tuning", settings=Raw(_settings_of(p, job.recipe)))
    return shown


def _stands(p: Page, job: TuningJob | None) -> str:
    if job is None:
        return p.text("state_before", steps=TuningJob.steps, seconds=f"{SECONDS:.0f}")
    rate = job.recipe.learning_rate
    return stands(p, job, p.text("reason_lr", rate=f"{rate:g}") if rate > LARGE else p.text("reason_pairs"))


def _kept(p: Page) -> str:
    name = session.get("_tuning_kept")
    return p.text("kept", name=markdown(name)) if name and models.is_lent(name) else ""


def _measured(p: Page, first: Evaluation, shown: Evaluation) -> str:
    gained, lost = ("gained", "lost") if shown.step else ("begins", "begins_everyday")
    values = {"step": f"{shown.step:,}", "held_out": the_held_out(p, len(first.held_out.outputs))}
    said = p.text(gained, **values, **_change(first.held_out, shown.held_out))
    if first.everyday and shown.everyday:
        said += " · " + p.text(lost, **_change(first.everyday, shown.everyday))
    return said


def the_held_out(p: Page, count: int) -> str:
    """So many held-out sentences, in words."""
    return p.text("the_held_out_one" if count == 1 else "the_held_out", count=count)


def _change(first: PairScore, now: PairScore) -> dict[str, str]:
    return {"first": f"{first.bleu:.1f}", "now": f"{now.bleu:.1f}", "right": str(now.right)}


def named(p: Page, name: str) -> str:
    """What the pairs are called, as Markdown."""
    return p.text("chess") if name == OURS else markdown(name)


def _settings_of(p: Page, tuning: Tuning) -> str:
    return p.text(
        "tuning_settings", model=markdown(tuning.checkpoint.name), pairs=named(p, tuning.material.name),
        rate=f"{tuning.learning_rate:g}", part=p.text(tuning.part), mixed=p.text("mixed" if tuning.mixed else "alone"),
    )  # fmt: skip
