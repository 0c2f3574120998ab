"""What a process of its own computes, the calculator, as soon as several read at a time: passes of the model, and long work.

The script's runs and the passes of a class would else share Python's lock, and each of a pass's hundreds of products wait for it.
One reader or two gain nothing by a second process, which takes some 500 MB, so they do without.
"""

import atexit
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from viz_core.app.turns import waiting
from viz_core.calculator import wire
from viz_core.calculator.client import Calculator, Unreachable
from viz_core.calculator.wire import Lane
from viz_core.checkpoint import Checkpoint
from viz_core.progress import Progress

Result = TypeVar("Result")
SWITCH = "VIZ_CALCULATOR"
"""The environment variable that is `off` where a process is to do without its calculator."""
MANY = 4
"""Readers at a time from which the calculator is started."""
RECENT = 60.0
"""Seconds without a run after which a reader no longer counts."""
LONG_AGO = 600.0
"""Seconds without so many readers after which it is ended, as its memory is of no use to the few who stay."""
CALCULATOR = Calculator()
atexit.register(CALCULATOR.stop)


class Readers:
    """Who has read of late, and since when there have been only a few."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, float] = {}
        self._many_at = 0.0

    @property
    def many(self) -> bool:
        return len(self._seen) >= MANY  # as of the last run

    def reads(self, session: str) -> tuple[bool, bool]:
        """A run of this session begins: whether there are many now, and whether there have been few for long."""
        now = time.monotonic()
        with self._lock:
            self._seen.pop(session, None)
            self._seen[session] = now  # the last, so that the first is the one that has rested longest
            while now - next(iter(self._seen.values())) > RECENT:
                del self._seen[next(iter(self._seen))]
            self._many_at = now if self.many else self._many_at
            return self.many, now - self._many_at > LONG_AGO


_readers = Readers()


def reads(session: str) -> None:
    """A run of this session begins. Starts the calculator where there are many, and ends it where there have long been few."""
    many, few_for_long = _readers.reads(session)
    if CALCULATOR.ready and few_for_long:
        CALCULATOR.rest()
    if many and os.environ.get(SWITCH) != "off" and (os.cpu_count() or 1) > 1:
        CALCULATOR.start()


def many_read() -> bool:
    """Whether so many read at a time that each should ask for no more than is looked at."""
    return _readers.many


def can_be_loaded(checkpoint: Checkpoint, folder: Path) -> None:
    """What is computed with this checkpoint, which stands in this folder, can be computed by the calculator."""
    wire.can_be_loaded(checkpoint, folder.resolve())


def computed(
    lane: Lane, function: Callable[..., Result], *arguments: object, here: Callable[[], Result], report: Progress | None = None
) -> Result:
    """`function(*arguments)`, by the calculator where it is there and has what it needs; else what `here` returns.

    While the calculator works, this thread's turn is somebody else's.

    Args:
        function: of a module that needs no Streamlit; pure, as results are shared.
        report: where given, it is told the progress, and its exceptions end the work.
    """
    if CALCULATOR.ready:
        try:
            with waiting():
                result: Result = CALCULATOR.call(lane, function, *arguments, report=report)
                return result
        except Unreachable:
            pass
    return here()
