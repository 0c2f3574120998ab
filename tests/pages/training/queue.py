"""Waiting for the runs of the page "How it learns"."""

import time
from collections.abc import Callable


def wait(until: Callable[[], bool]) -> None:
    """Until it is so."""
    end = time.monotonic() + 40
    while not until():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)
