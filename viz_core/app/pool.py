"""A bounded pool for long computations, with a queue in front of it: first come, first served, the same work once for all who ask.

Who waits is known at any time: what nobody waits for is not begun, and given up where it can be stopped.
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
"""Computations under way at a time. Each takes a core, as torch has one thread here; the other cores are left to the script's runs.
Not more than a few, because all of them share Python's lock with these runs: on two cores explain() of a short sentence takes 50 ms
alone, about 120 ms beside one computation, 180 ms beside two and 500 ms beside six."""
PATIENCE = 5.0
"""Seconds for which work that nobody waits for keeps its place: a message of the browser ends a run, and the next asks again."""


@dataclass(eq=False)
class Work:
    """One computation, waiting or under way.

    Attributes:
        compute: takes a `Progress`, which may raise `Abandoned`.
        readers: how many wait for it now.
        left: when the last one left, by the monotonic clock.
        done: the parts done, and all of them or None; (0, None) until it reports.
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
        more: how many more than `at_once` there may be at present.
    """

    def __init__(self, at_once: int = AT_ONCE, patience: float = PATIENCE, more: Callable[[], int] = lambda: 0) -> None:
        self._at_once, self._patience, self._more = at_once, patience, more
        self._lock = threading.Lock()
        self._works: dict[Hashable, Work] = {}  # in the order of the queue, with what is under way
        self._threads = 0

    @contextmanager
    def waiting(self, key: Hashable, compute: Callable[[Progress], Any]) -> Iterator[Work]:
        """The work of this key, new at the end of the queue or the one that others wait for already, while one waits for it."""
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
        """How many computations come before one that waits, those under way included; 0 once it has begun."""
        with self._lock:
            if work.begun:
                return 0
            ahead = 0
            for each in self._works.values():
                if each is work:
                    break
                ahead += each.begun or each.readers > 0
            return ahead

    def _work(self) -> None:
        """One thread: as long as there is work."""
        while work := self._begin():
            try:
                result = work.compute(partial(self._report, work))
            except BaseException as error:
                self._end(work)
                work.future.set_exception(error)
            else:
                self._end(work)
                work.future.set_result(result)
            del work  # and with it the result, while this thread waits for nothing

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
                del self._works[work.key]  # who asks from now on begins anew
                raise Abandoned
            work.done = done, total

    def _drop(self) -> None:
        """What nobody waits for any more leaves the queue."""
        for work in [each for each in self._works.values() if not each.begun and self._is_left(each)]:
            del self._works[work.key]

    def _is_left(self, work: Work) -> bool:
        return not work.readers and time.monotonic() - work.left > self._patience
