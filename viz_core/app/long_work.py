"""Long computations of a page: they go through a bounded pool, and the page shows their progress meanwhile."""

from __future__ import annotations

import inspect
import itertools
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
from viz_core.app.pool import Pool, Work
from viz_core.app.run_lock import waiting
from viz_core.app.worker_process import CALCULATOR, computed
from viz_core.progress import Progress
from viz_core.texts import fill, language, speak, texts

Result = TypeVar("Result")
SOON = 0.3
"""Seconds of waiting before progress is shown, so that short work does not flicker."""
EVERY = 0.1
"""Seconds between two looks at the work, and at whether the reader has asked for something else."""

_numbers = itertools.count()
"""A run may wait several times, and no two signs may have one key."""

POOL = Pool(more=lambda: CALCULATOR.ready)  # work there does not slow the runs down, so short work need not wait for long work


def pooled(function: Callable[..., Result], *arguments: Any, says: str) -> Result:
    """`cached` for long work: it waits its turn in the pool, and this run waits for the result.

    Meanwhile the page says what is computed, and how many computations come first or how far this one is. The reader may go on to
    something else at any time, which ends this run.

    Args:
        function: as in `cached`. It may take a `Progress` as its argument `progress`.
        says: what is computed, in words.
    """
    place = st.empty()  # always there, lest the elements below shift when it comes or goes
    key = key_of(function, arguments)
    if (kept := find(key)) is not None:
        return kept.result
    counts = "progress" in inspect.signature(function).parameters
    spoken = language()

    def compute(progress: Progress) -> Result:
        speak(spoken)  # results may contain texts
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
    """Waits until the work is done; ends this run if the reader has asked for another."""
    begun, visible_sign = time.monotonic(), None
    while not wait([work.future], EVERY).done:
        session.let_interrupt()
        if time.monotonic() - begun > SOON:
            visible_sign = visible_sign or sign()
            visible_sign.update(work)


class _Sign:
    """The progress shown while a reader waits. Only changes are sent."""

    def __init__(self, place: DeltaGenerator, says: str) -> None:
        self._says, self._words = says, texts("app.frame")["long_work"]
        with place.container(key=f"_long_work_{next(_numbers)}"):
            self._line, self._bar = st.empty(), st.empty()
        self._sent_status, self._sent_count = "", ""

    def update(self, work: Work) -> None:
        if (status := self._status(POOL.before(work))) != self._sent_status:
            self._sent_status = status
            self._line.html(f"<p class=long-work role=status>{escape(status)}</p>")
        done, total = work.done
        if (count := self._count(done, total)) != self._sent_count:
            self._sent_count = count
            if total:
                self._bar.progress(done / total, count)
            else:
                self._bar.html(f"<p class=long-work>{escape(count)}</p>")

    def _status(self, before: int) -> str:
        if not before:
            return self._says
        return fill(self._words["before_one" if before == 1 else "before"], {"before": before})

    def _count(self, done: int, total: int | None) -> str:
        if total:
            return fill(self._words["parts"], {"done": done, "total": total})
        return fill(self._words["steps"], {"done": done}) if done else ""
