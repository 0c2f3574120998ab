"""Sessions take turns: one run of the script at a time, however many readers there are.

Python executes one thread at a time, for some milliseconds each. If the runs of a whole class went on together, each would be as
slow as all of them, and the thread that talks to the browsers would wait behind them at each message. Even two runs are slower
together than one after the other: a pass of a model releases Python's lock at each of its hundreds of products, and then waits some
milliseconds for the other run to return it. Long work waits in this way beside the runs, and holds nobody up.
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class FairLock:
    """A round-robin lock: the readers who wait get it in turn, however much each of them requests."""

    def __init__(self) -> None:
        self._guard, self._taken = threading.Lock(), False
        self._waiting: dict[str, deque[threading.Event]] = {}  # by reader, the one whose turn is next first

    def acquire(self, reader: str) -> None:
        with self._guard:
            if not self._taken:
                self._taken = True
                return
            mine = threading.Event()
            self._waiting.setdefault(reader, deque()).append(mine)
        mine.wait()

    def release(self) -> None:
        """Hands the lock to the next reader's longest waiting thread."""
        with self._guard:
            if not self._waiting:
                self._taken = False
                return
            reader = next(iter(self._waiting))
            queue = self._waiting.pop(reader)
            queue.popleft().set()
            if queue:
                self._waiting[reader] = queue  # behind the other readers


_runs, _aside = FairLock(), FairLock()
_here = threading.local()
"""reader: for whom this thread works. held: the lock that it has; None while it waits, or where no script runs."""


@contextmanager
def turn(reader: str) -> Iterator[None]:
    """Wait for the run's turn, and hold it inside. reader: the address from which the reader connects."""
    _here.reader = reader
    _take(_runs)
    try:
        yield
    finally:
        _here.held = None
        _runs.release()


@contextmanager
def aside() -> Iterator[None]:
    """For work of some tenths of a second: one at a time, while runs of other sessions go on."""
    with _instead(_aside):
        yield


@contextmanager
def waiting() -> Iterator[None]:
    """For code that only waits for another thread: gives up this turn meanwhile."""
    with _instead(None):
        yield


@contextmanager
def _instead(other: FairLock | None) -> Iterator[None]:
    """Swaps the lock that this thread holds for another one, or none; does nothing if it holds none."""
    held: FairLock | None = getattr(_here, "held", None)
    if held is None or held is other:
        yield
        return
    held.release()
    _take(other)
    try:
        yield
    finally:
        if other:
            other.release()
        _take(held)


def _take(wanted: FairLock | None) -> None:
    _here.held = None
    if wanted:
        wanted.acquire(_here.reader)
    _here.held = wanted
