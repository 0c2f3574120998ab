"""The controls of a training run on its page: the buttons, its state in words, and the slider over its snapshots."""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from pages.training.controls import SCRUB
from pages.training.jobs import QUEUE, SECONDS, TrainingRun
from viz_core.app import session
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.texts import fill
from viz_core.training.live import Snapshot
from viz_core.training.tuning import Evaluation

EVERY = 1.0
"""Seconds between two polls of a run."""
Shown = TypeVar("Shown", Snapshot, Evaluation)


def steer(p: Page, run: TrainingRun | None, start: Callable[..., None], wanted: Any) -> None:
    """Train; or stop; or continue and start over. The latter is the primary button where other settings are asked for.

    Args:
        start: begins a new run with what is asked, in place of the old one.
    """
    if run is None:
        st.button(p.texts["train"], key="_train", type="primary", on_click=start, args=(wanted,))
    elif not run.resting:
        st.button(p.texts["stop"], key="_train_stop", type="primary", on_click=stop)
    else:
        other = run.recipe != wanted
        if run.can_go_on:
            st.button(
                p.texts["go_on"], key="_train_on", type="secondary" if other else "primary", on_click=QUEUE.put, args=(run,)
            )  # fmt: skip
        st.button(p.texts["anew"], key="_train_anew", type="primary" if other else "secondary", on_click=start, args=(wanted,))


def stop() -> None:
    """Ends whatever this session is training: one run at a time."""
    for name in ("_training", "_training_before", "_tuning"):
        if run := session.get(name):
            QUEUE.stop(run)


def state_text(p: Page, run: TrainingRun, reason: str) -> str:
    """The state of a run. reason: what is named as the cause where it diverged."""
    states, measured = p.texts["states"], run.trainer.measured if run.trainer else []
    if run.state == "waiting":
        return fill(states["waiting"], {"before": QUEUE.before(run)})
    if run.state == "running" and not measured:
        return fill(states["starting"], {})
    loss = number(measured[-1].loss) if measured else ""
    overflowed = run.state == "diverged" and math.isfinite(measured[-1].loss) and run.trainer.overflowed
    values = {"step": f"{len(measured):,}", "until": f"{run.until:,}", "seconds": f"{SECONDS:.0f}"}
    return fill(states["overflowed" if overflowed else run.state], {**values, "reason": reason, "loss": loss})


def pick_step(p: Page, snapshots: Sequence[Shown]) -> Shown:
    """The snapshot at the slider: the last one until it is moved."""
    steps = [one.step for one in snapshots]
    return snapshots[steps.index(SCRUB.draw(p, steps, steps[-1], of=(steps[-1], len(steps))))]
