"""Sessions take turns: one run of the script at a time, whatever the number of readers.

Python executes one thread at a time, and lets each go on for some milliseconds. Were the runs of a whole class under way together,
each would be as slow as all, and the thread that hears and answers the browsers would wait behind all of them at each message. Even
two take longer than one after the other: a pass of a model lets go of Python at each of its hundreds of products, and then waits
some milliseconds until the other run hands it back. What takes long anyway waits like this beside the runs, and holds nobody back.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_runs, _aside = threading.BoundedSemaphore(), threading.BoundedSemaphore()
_here = threading.local()
"""held: which of the two this thread has; none while it waits, nor where no script runs."""


@contextmanager
def turn() -> Iterator[None]:
    """Around a run: it waits for its turn here."""
    with _runs:
        _here.held = _runs
        try:
            yield
        finally:
            _here.held = None


@contextmanager
def aside() -> Iterator[None]:
    """Around what takes some tenths of a second: one at a time, beside the runs of other sessions."""
    with _instead(_aside):
        yield


@contextmanager
def waiting() -> Iterator[None]:
    """Around what only waits for another thread: meanwhile this turn is somebody else's."""
    with _instead(None):
        yield


@contextmanager
def _instead(other: threading.BoundedSemaphore | None) -> Iterator[None]:
    """Holds another semaphore, or none, instead of the one that this thread has; where it has none, nothing happens."""
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
