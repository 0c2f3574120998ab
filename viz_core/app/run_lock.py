"""Sessions take turns: one run of the script at a time, however many readers there are.

Python executes one thread at a time, for some milliseconds each. If the runs of a whole class went on together, each would be as
slow as all of them, and the thread that talks to the browsers would wait behind them at each message. Even two runs are slower
together than one after the other: a pass of a model releases Python's lock at each of its hundreds of products, and then waits some
milliseconds for the other run to return it. Long work waits in this way beside the runs, and holds nobody up.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_runs, _aside = threading.BoundedSemaphore(), threading.BoundedSemaphore()
_here = threading.local()
"""held: the semaphore that this thread has; none while it waits, or where no script runs."""


@contextmanager
def turn() -> Iterator[None]:
    """Wait for the run's turn, and hold it inside."""
    with _runs:
        _here.held = _runs
        try:
            yield
        finally:
            _here.held = None


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
def _instead(other: threading.BoundedSemaphore | None) -> Iterator[None]:
    """Swaps the semaphore that this thread holds for another one, or none; does nothing if it holds none."""
    held: threading.BoundedSemaphore | None = getattr(_here, "held", None)
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


def _take(wanted: threading.BoundedSemaphore | None) -> None:
    _here.held = None
    if wanted:
        wanted.acquire()
    _here.held = wanted
