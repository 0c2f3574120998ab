"""At the end of each test nothing is training."""

from collections.abc import Iterator

import pytest

from pages.training.jobs import QUEUE
from tests.pages.training.queue import wait


@pytest.fixture(autouse=True)
def _to_the_end() -> Iterator[None]:
    yield
    wait(lambda: QUEUE._worker is None)
