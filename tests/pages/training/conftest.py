"""At the end of each test nothing is training."""

import time
from collections.abc import Callable, Iterator

import pytest

from pages.training.jobs import QUEUE


def wait(until: Callable[[], bool]) -> None:
    """Until it is so."""
    end = time.monotonic() + 40
    while not until():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _to_the_end() -> Iterator[None]:
    yield
    wait(lambda: QUEUE._worker is None)
