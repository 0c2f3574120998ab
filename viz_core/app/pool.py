"""A bounded pool for long computations with a fair queue: first come, first served, and equal requests share one computation.

The pool counts who waits. Work that nobody waits for is not begun, or is given up if it can be stopped.
"""

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from viz_core.app.cache import Abandoned
from viz_core.progress import Progress

AT_ONCE = min(4, max(1, (os.cpu_count() or 1) // 2))
"""Computations running at a time. Each takes a core, since torch has one thread here; the other cores are for the script's runs. A
few at most, because all of them share Python's lock with these runs: on two cores, explain() of a short sentence takes 50 ms alone,
about 120 ms beside one computation, 180 ms beside two and 500 ms beside six."""
PATIENCE = 5.0
"""Seconds that work keeps its place when nobody waits: a message from the browser ends a run, and the next run asks again."""


@dataclass(eq=False)
class Work:
    """One computation, queued or running.

    Attributes:
        compute: takes a `Progress`, which may raise `Abandoned`.
        readers: number of readers who wait for it now.
        left: time at which the last one left, by the monotonic clock.
        done: number of parts done, and their total or None; (0, None) until it reports.
    """

    key: Hashable
    compute: Callable[[Progress], Any]
    future: Future[Any] = field(default_factory=Future)
    readers: int = 0
    left: float = 0.0
    begun: bool = False
    done: tuple[int, int | None] = (0, None)


class Pool:
    """The work of all sessions.

    Args:
        more: how many computations may run at present beyond `at_once`.
    """

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE, more: Callable[[], int] = lambda: 0) -> None:
        self._at_once, self._patience, self._more = at_once, patience, more
        self._lock = threading.Lock()
        self._works: dict[Hashable, Work] = {}  # in the order of the queue, running ones included
        self._threads = 0

    @contextmanager
    def waiting(self, key: Hashable, compute: Callable[[Progress], Any]) -> Iterator[Work]:
        """Counts a reader as waiting for the work of this key, which is queued unless others already wait for it."""
        with self._lock:
            self._drop()
            work = self._works.setdefault(key, Work(key, compute))
            work.readers += 1
            if not work.begun and self._threads < self._at_once + self._more():
                self._threads += 1
                threading.Thread(target=self._work, name="long work", daemon=True).start()
        try:
            yield work
        finally:
            with self._lock:
                work.readers, work.left = work.readers - 1, time.monotonic()

    def before(self, work: Work) -> int:
        """Number of computations ahead of a queued one, running ones included; 0 once it has begun."""
        with self._lock:
            if work.begun:
                return 0
            ahead = 0
            for other in self._works.values():
                if other is work:
                    break
                ahead += other.begun or other.readers > 0
            return ahead

    def _work(self) -> None:
        """Runs in a thread until no work is left."""
        while work := self._begin():
            try:
                result = work.compute(partial(self._report, work))
            except BaseException as error:
                self._end(work)
                work.future.set_exception(error)
            else:
                self._end(work)
                work.future.set_result(result)
            del work  # frees the result while this thread waits

    def _begin(self) -> Work | None:
        with self._lock:
            self._drop()
            for work in self._works.values():
                if work.readers and not work.begun:
                    work.begun = True
                    return work
            self._threads -= 1
            return None

    def _end(self, work: Work) -> None:
        with self._lock:
            if self._works.get(work.key) is work:
                del self._works[work.key]

    def _report(self, work: Work, done: int, total: int | None) -> None:
        with self._lock:
            if self._is_left(work):
                del self._works[work.key]  # a new request starts afresh
                raise Abandoned
            work.done = done, total

    def _drop(self) -> None:
        """Removes queued work that nobody waits for any more."""
        for work in [queued for queued in self._works.values() if not queued.begun and self._is_left(queued)]:
            del self._works[work.key]

    def _is_left(self, work: Work) -> bool:
        return not work.readers and time.monotonic() - work.left > self._patience
