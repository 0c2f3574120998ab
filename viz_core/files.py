"""Atomic file writes, names of files to write, and reads that neither wait nor fill the memory."""

import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from viz_core.errors import VizError

TABLES = (".csv", ".tsv", ".json", ".jsonl", ".xml", ".xlsx", ".ods")
DOCUMENTS = (".html", ".htm", ".pdf", ".docx", ".odt", ".pptx", ".md", ".ipynb")
ARCHIVES = (".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z")
ARRAYS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt", ".pkl", ".npz", ".npy", ".h5", ".onnx", ".gguf")


def read_bytes(path: Path, most: int) -> bytes:
    """The content of a file that somebody may have put into one of our folders.

    Opening a pipe would wait until somebody writes into it, and a device may never end.

    Raises:
        FileNotFoundError: it does not exist.
        OSError: it has more than `most` bytes, is a folder, a pipe or a device, or cannot be read.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, expected a file", str(path))
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"{status.st_size:,} bytes, more than is read", str(path))
        return file.read(status.st_size)  # not `most`, which would be taken from the memory at once


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # Windows has neither the flag nor such pipes


def path(text: str) -> Path:
    """The argparse type of a path. Raises ValueError for an empty text, which would mean the current folder."""
    if not text.strip() or "\0" in text:
        raise ValueError
    return Path(text)


def require_suffix(path: Path, *suffixes: str) -> None:
    """Refuses an `--out` with the suffix of another format than the one written.

    Raises:
        VizError: it ends in none of the suffixes; the message lists them.
    """
    if path.suffix.lower() not in suffixes:
        raise VizError(f"--out is {path}, expected a name that ends in {' or '.join(suffixes)}")


def require_plain_name(path: Path, written: str, *formats: tuple[str, ...]) -> None:
    """Refuses an `--out` with one of these formats' suffixes by a VizError, which says what is written instead."""
    if any(path.suffix.lower() in suffixes for suffixes in formats):
        raise VizError(f"--out is {path}, but {written} is written, not a {path.suffix} file: choose another name")


def write_atomically(path: Path, content: bytes) -> None:
    """`write_together` for one file."""
    write_together({path: content})


def write_together(contents: Mapping[Path, bytes]) -> None:
    """Writes files that belong together: all under temporary names first, then moved into place in order.

    Raises:
        OSError: the disk is full or a folder cannot be written; all old files are untouched.
    """
    partial: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe or a device, such as /dev/stdout, is not replaced
                path.write_bytes(content)
                continue
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
