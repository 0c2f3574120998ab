"""A pipe into which nobody writes: whoever opens it as a file waits for ever."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def at_once(pipe: Path) -> Iterator[None]:
    """A reader that waits for the pipe is released after a while, so that the test fails instead of waiting for ever."""
    release = threading.Timer(5, lambda: os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK)))
    release.start()
    yield
    assert release.is_alive()
    release.cancel()
