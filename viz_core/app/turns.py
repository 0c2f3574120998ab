"""Sessions take turns: few runs of the script at a time, whatever the number of readers.

Python executes one thread at a time, and lets each go on for some milliseconds. Were the runs of a whole class under way together,
each would be as slow as all, and the thread that hears and answers the browsers would wait behind all of them at each message.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

AT_A_TIME = 2
"""One may compute in torch, which leaves Python to the other."""

_free = threading.BoundedSemaphore(AT_A_TIME)
_here = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Around a run: it waits for its turn here."""
    with _free:
        _here.running = True
        try:
            yield
        finally:
            _here.running = False


@contextmanager
def waiting() -> Iterator[None]:
    """Around what only waits for another thread: meanwhile this turn is somebody else's. Outside a run nothing happens."""
    if not getattr(_here, "running", False):
        yield
        return
    _free.release()
    try:
        yield
    finally:
        _free.acquire()
