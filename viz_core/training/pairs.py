"""Files of sentence pairs: one `source<TAB>target` a line, UTF-8, plain or gzip."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Iterator
from pathlib import Path

from viz_core.errors import PairsError

Pair = tuple[str, str]


def read_pairs(path: Path) -> list[Pair]:
    """All pairs of the file.

    Raises:
        PairsError: the file cannot be read, or a line is not two non-empty columns; the message names the line.
    """
    return list(_pairs(Path(path)))


def read_references(path: Path) -> list[tuple[str, list[str]]]:
    """Each source once, with all its translations: several translations of one source stand on adjacent lines."""
    groups = itertools.groupby(read_pairs(path), key=lambda pair: pair[0])
    return [(source, [target for _, target in pairs]) for source, pairs in groups]


def _pairs(path: Path) -> Iterator[Pair]:
    number = 0
    try:
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == b"\x1f\x8b"
            with gzip.open(raw) if packed else raw as lines:
                for number, line in enumerate(lines, start=1):
                    yield _pair(line, f"{path.name}, line {number:,}")
    except FileNotFoundError:
        raise PairsError(f"{path}: no such file") from None
    except (OSError, EOFError, zlib.error) as error:
        raise PairsError(f"{path.name}, after line {number:,}: cannot be read ({error})") from error
    if number == 0:
        raise PairsError(f"{path.name}: the file is empty")


def _pair(line: bytes, where: str) -> Pair:
    try:
        columns = line.decode("utf-8-sig" if where.endswith("line 1") else "utf-8").rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise PairsError(f"{where}: byte {error.start + 1} is not UTF-8") from error
    if len(columns) != 2:
        plural = "" if len(columns) == 1 else "s"
        raise PairsError(f"{where}: {len(columns)} column{plural}, expected 2 (source, tab, target)")
    source, target = (column.strip() for column in columns)
    if not source or not target:
        raise PairsError(f"{where}: the {'source' if not source else 'target'} is empty")
    return source, target
