"""What steers any run of the page on learning: the buttons, how it stands in words, the slider over what was kept of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import streamlit as st

from pages.training.jobs import QUEUE, SECONDS, AnyRun
from viz_core.app import session
from viz_core.app.markup import number
from viz_core.app.page import Page

EVERY = 1.0
"""Seconds between two looks at a run."""


class Kept(Protocol):
    """What a run kept of one of its steps."""

    @property
    def step(self) -> int:
        """Which one, from 0."""


Look = TypeVar("Look", bound=Kept)


def steer(p: Page, run: AnyRun | None, start: Callable[..., None], asked: Any) -> None:
    """Train; or stop; or go on and start anew, which is the next thing to do where other settings are asked for than it had.

    Args:
        start: begins a new run with what is asked, in the place of the old one.
    """
    if run is None:
        st.button(p.texts["train"], key="_train", type="primary", on_click=start, args=(asked,))
    elif not run.resting:
        st.button(p.texts["stop"], key="_train_stop", type="primary", on_click=stop)
    else:
        other = run.recipe != asked
        if run.can_go_on:
            st.button(
                p.texts["go_on"], key="_train_on", type="secondary" if other else "primary", on_click=QUEUE.put, args=(run,)
            )  # fmt: skip
        st.button(p.texts["anew"], key="_train_anew", type="primary" if other else "secondary", on_click=start, args=(asked,))


def stop() -> None:
    """Ends whatever this session trains: it has one training at a time."""
    for name in ("_training", "_training_before", "_tuning"):
        if run := session.get(name):
            QUEUE.stop(run)


def stands(p: Page, run: AnyRun, reason: str) -> str:
    """How a run stands.

    Args:
        reason: why it would fail, if it did.
    """
    measured = run.trainer.measured if run.trainer else []
    if run.state == "waiting":
        return p.text("state_waiting", before=QUEUE.before(run))
    if run.state == "running" and not measured:
        return p.text("state_starting")
    loss = loss_said(measured[-1].loss) if measured else ""
    values = {"step": f"{len(measured):,}", "until": f"{run.until:,}", "seconds": f"{SECONDS:.0f}"}
    return p.text(f"state_{run.state}", **values, reason=reason, loss=loss)


def scrubbed(p: Page, kept: Sequence[Look]) -> Look:
    """What the slider is at: the last one until it is moved."""
    steps = [each.step for each in kept]
    at = st.select_slider(
        p.texts["scrub"], steps, steps[-1], key=f"_scrub_{steps[-1]}_{len(steps)}", format_func="{:,}".format,
        label_visibility="collapsed",
    )  # fmt: skip
    return kept[steps.index(at)]


def loss_said(value: float) -> str:
    """A loss, also one that is no number any more."""
    return number(value) if math.isfinite(value) else "NaN" if math.isnan(value) else "∞"
