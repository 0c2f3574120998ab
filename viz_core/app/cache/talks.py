"""What is kept of talks."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from viz_core.app import talks
from viz_core.app.talks import Problem, Talk


def get_talk(path: Path, pages: tuple[str, ...], names: tuple[str, ...]) -> tuple[Talk, list[Problem]]:
    """A talk's file and what is wrong in it; read again when the file has changed."""
    return _talk(path, path.stat().st_mtime_ns, pages, names)


@lru_cache(24)  # asked for several times in each run, and Streamlit would hash all the names each time
def _talk(path: Path, changed: int, pages: tuple[str, ...], names: tuple[str, ...]) -> tuple[Talk, list[Problem]]:
    return talks.load(path, pages, names)
