"""Atomic file writes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """As `write_together`, for one file."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Write files that belong together: all under temporary names first, then moved into place, in order.

    Raises:
        OSError: the disk is full or a folder cannot be written; all old files are untouched.
    """
    partial: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
            partial[path] = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial[path].chmod(0o644)
        for path, written in partial.items():
            written.replace(path)
    except BaseException:
        for written in partial.values():
            written.unlink(missing_ok=True)
        raise


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
