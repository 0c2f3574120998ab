"""What the tests let the calculator compute: functions that it finds by their names."""

import os
import time
from pathlib import Path

from viz_core.errors import TextError
from viz_core.progress import Progress
from viz_core.texts import language


def spoken() -> str:
    print("this is no answer")
    return language()


def refused() -> None:
    raise TextError("not this one")


def unspeakable() -> object:
    return lambda: 0  # which cannot be pickled


def leaving() -> None:
    raise SystemExit(3)


def killed() -> None:
    os.kill(os.getpid(), 9)


def counting(told: Path, progress: Progress) -> None:
    """Goes on until nobody listens any more, and says how it ended."""
    try:
        for number in range(10_000):
            progress(number, 10_000)
            time.sleep(0.01)
        told.write_text("to the end")
    except BaseException:
        told.write_text("given up")
        raise
