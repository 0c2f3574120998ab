"""The controls of this page: what links, talks and “try this” may set, and those of a training run.

A run has buttons, its state in words, and a slider over its snapshots.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from pages.training.jobs import QUEUE, SECONDS, TrainingRun
from viz_core.app import session
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.params import Choice, Item, Number, OneOf, Slider, Stops
from viz_core.texts import fill
from viz_core.training.live import Snapshot
from viz_core.training.scheduled import DECAYS
from viz_core.training.tuning import Evaluation

SHOW = Choice("show", ("live", "loss", "gradient", "tuning", "schedule", "shipped", "snapshots", "guided"), labelled=False)

# Live.
TASK = Choice("task", ("reverse", "copy", "sort"))
LAYERS = OneOf("layers", (1, 2, 3), 1, width=90)
HEADS = OneOf("heads", (1, 2, 4, 8), 4, width=90)
D_MODEL = OneOf("d_model", (32, 64), 64, width=100)
RATE = OneOf("rate", ("0.1", "0.3", "1", "3", "10", "100"), "1", width=140)
WARMUP = OneOf("warmup", (1, 20, 50, 100, 200, 400, 1000), 100, width=140)
SMOOTHING = OneOf("smoothing", ("0", "0.1", "0.3", "0.6"), "0", width=130)
NORM = OneOf("norm", ("pre", "post"), "pre", width=130)
DECAY = OneOf("decay", DECAYS, "off", width=175)
UP_TO = OneOf("upto", (25, 50, 75, 100), 50, width=115)
GUIDANCE = OneOf("guide", ("0", "0.3", "1", "3", "10"), "0", width=115)
PART = Item("part", first=0)
SCRUB = Stops("scrub", labelled=False, width=420)

# The loss of the sentence.
OWN = Slider("own", width=200)
EPSILON = Slider("epsilon", width=200)
LOSS_FIRST = Choice("first", ("positions", "target"), labelled=False)
SEED = Number("seed", 0, 999, 0, typed=True, width=110)

# The gradient.
KIND = Choice("kind", ("cross", "masked", "self"))
MATRIX = OneOf("matrix", ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2"), "w_v", width=220)
ETA = OneOf("eta", ("1", "10", "100", "1000"), "100", width=150)

# Guided attention.
BESIDE = Choice("beside", ("by_penalty", "by_paid"), labelled=False)
WIDTH = Slider("width", width=170)

# Fine-tuning.
PAIRS = Choice("pairs", ("ours", "yours"), labelled=False)
TUNING_RATE = OneOf("lr", ("0.00005", "0.0002", "0.001", "0.01", "0.1"), "0.0002", width=190)
UPDATED = OneOf("updated", ("whole", "decoder", "embeddings"), "whole", width=190)
MIX = OneOf("mix", ("alone", "mixed"), "alone", width=390)
TUNING_FIRST = Choice("first", ("held_out", "everyday", "curves"), labelled=False)

# The schedule.
WHICH = Choice("which", ("over_steps", "over_probability"), labelled=False)
DIM = Slider("dim", width=230)
WARM = Slider("warm", width=230)


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
