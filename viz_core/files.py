"""Files that are either the old ones or the new ones, never half of one."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Writes beside the file, then puts it in its place in one move.

    Raises:
        OSError: the disk is full or the folder cannot be written; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".partial")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sha256(content: bytes) -> str:
    """The hash that config.json and CARD.md quote."""
    return hashlib.sha256(content).hexdigest()
