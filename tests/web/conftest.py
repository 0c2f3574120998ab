"""One process of the browser's engine for all tests."""

from collections.abc import Iterator

import pytest

from tests.web.engine import Engine


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    started = Engine(tmp_path_factory.mktemp("engine"))
    yield started
    started.close()
