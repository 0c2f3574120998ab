"""Work for a second process, the calculator, once several people read at a time: passes of the model, and long computations.

In one process, the script's runs and the passes of a class would share Python's lock, and each of the hundreds of products in a
pass would wait for it. One or two readers gain nothing from a second process, which takes some 500 MB, so they do without.
"""

import atexit
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from viz_core.app.run_lock import waiting
from viz_core.calculator import client
from viz_core.calculator.client import Calculator, Lane, Unreachable
from viz_core.checkpoint import Checkpoint
from viz_core.progress import Progress

Result = TypeVar("Result")
SWITCH = "VIZ_CALCULATOR"
"""Environment variable; `off` means no calculator."""
MANY = 4
"""Number of simultaneous readers from which the calculator runs."""
RECENT = 60.0
"""Seconds without a run after which a reader no longer counts."""
LONG_AGO = 600.0
"""Seconds with fewer readers after which the calculator is stopped, to free its memory."""
CALCULATOR = Calculator()
atexit.register(CALCULATOR.stop)


class Readers:
    """Recent readers, and when there were last many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, float] = {}
        self._many_at = 0.0

    @property
    def many(self) -> bool:
        return len(self._seen) >= MANY  # as of the last run

    def reads(self, session: str) -> tuple[bool, bool]:
        """At the start of a session's run: whether there are many readers now, and whether there have long been few."""
        now = time.monotonic()
        with self._lock:
            self._seen.pop(session, None)
            self._seen[session] = now  # at the end, so that the first is the one idle for longest
            while now - next(iter(self._seen.values())) > RECENT:
                del self._seen[next(iter(self._seen))]
            self._many_at = now if self.many else self._many_at
            return self.many, now - self._many_at > LONG_AGO


_readers = Readers()


def count_reader(session: str) -> None:
    """At the start of a session's run: starts the calculator if there are many readers, stops it if there have long been few."""
    many, few_for_long = _readers.reads(session)
    if CALCULATOR.ready and few_for_long:
        CALCULATOR.rest()
    if many and os.environ.get(SWITCH) != "off" and (os.cpu_count() or 1) > 1:
        CALCULATOR.start()


def has_many_readers() -> bool:
    """Whether there are so many readers that each should request no more than is on view."""
    return _readers.many


def register_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
    """Lets the calculator work with this checkpoint, which it can load from this folder."""
    client.register_checkpoint(checkpoint, folder.resolve())


def computed(
    lane: Lane, function: Callable[..., Result], *arguments: object, here: Callable[[], Result], report: Progress | None = None
) -> Result:
    """`function(*arguments)`, by the calculator if it runs and has what it needs; else `here()`.

    While the calculator works, other threads may take this thread's turn.

    Args:
        function: pure, since results are shared, and in a module that does not import Streamlit.
        report: called with the progress; its exceptions end the work.
    """
    if CALCULATOR.ready:
        try:
            with waiting():
                result: Result = CALCULATOR.call(lane, function, *arguments, report=report)
                return result
        except Unreachable:
            pass
    return here()
