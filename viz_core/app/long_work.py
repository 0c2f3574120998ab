"""Long computations of a page: they go through a bounded pool, and while a reader waits, the page shows how far they are."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from concurrent.futures import wait
from functools import partial
from html import escape
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz_core.app import session
from viz_core.app.cache import computed_once, find, key_of
from viz_core.app.elsewhere import CALCULATOR, computed
from viz_core.app.pool import Pool, Work
from viz_core.app.turns import waiting
from viz_core.progress import Progress
from viz_core.texts import fill, language, speak, texts

Result = TypeVar("Result")
SOON = 0.3
"""Seconds of waiting that show nothing, so that what comes soon does not flicker."""
EVERY = 0.1
"""Seconds between two looks at the work, and at whether the reader has asked for something else."""

POOL = Pool(more=lambda: CALCULATOR.ready)  # there nothing is in the runs' way, and what is short need not wait for what is long


def pooled(function: Callable[..., Result], *arguments: Any, says: str) -> Result:
    """As `cached`, for what takes long: it waits its turn in the pool, and the run waits here for the result.

    Meanwhile the page says what is computed, and how many computations come first or how far it is. The reader may go on to
    something else at any time, which ends this run.

    Args:
        function: as in `cached`. It may take a `Progress` as its argument `progress`, by which it shows how far it is.
        says: what is computed, in words.
    """
    place = st.empty()  # always there: what follows would else move when it comes or goes
    key = key_of(function, arguments)
    if (kept := find(key)) is not None:
        return kept.result
    counts = "progress" in inspect.signature(function).parameters
    spoken = language()

    def compute(progress: Progress) -> Result:
        speak(spoken)  # results may hold words
        report = progress if counts else None
        how = {"progress": progress} if counts else {}
        return computed_once(
            key, lambda: computed("long", function, *arguments, here=lambda: function(*arguments, **how), report=report)
        )

    with POOL.waiting(key, compute) as work, waiting():
        _wait(work, partial(_Sign, place, says))
    place.empty()
    result: Result = work.future.result()
    return result


def _wait(work: Work, sign: Callable[[], _Sign]) -> None:
    """Until the work is done; ends the run where the reader has asked for another."""
    begun, shown = time.monotonic(), None
    while not wait([work.future], EVERY).done:
        session.let_interrupt()
        if time.monotonic() - begun > SOON:
            shown = shown or sign()
            shown.update(work)


class _Sign:
    """What stands on the page while its reader waits. Only what has changed is sent again."""

    def __init__(self, place: DeltaGenerator, says: str) -> None:
        self._says, self._words = says, texts("app.frame")["long_work"]
        with place.container(key=f"_long_work_{id(self)}"):
            self._line, self._bar = st.empty(), st.empty()
        self._said, self._shown = "", ""

    def update(self, work: Work) -> None:
        if (said := self._status(POOL.before(work))) != self._said:
            self._said = said
            self._line.html(f"<p class=long-work role=status>{escape(said)}</p>")
        done, total = work.done
        if (shown := self._count(done, total)) != self._shown:
            self._shown = shown
            if total:
                self._bar.progress(done / total, shown)
            else:
                self._bar.html(f"<p class=long-work>{escape(shown)}</p>")

    def _status(self, before: int) -> str:
        if not before:
            return self._says
        return fill(self._words["before_one" if before == 1 else "before"], {"before": before})

    def _count(self, done: int, total: int | None) -> str:
        if total:
            return fill(self._words["parts"], {"done": done, "total": total})
        return fill(self._words["steps"], {"done": done}) if done else ""
