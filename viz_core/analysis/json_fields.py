"""Checked reading of a JSON file: each field of its type and in its range, or an error that names the field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from viz_core.errors import CheckpointError
from viz_core.files import read_bytes
from viz_core.trace import Doubles

T = TypeVar("T")
SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, which no encoding can write


def read_file(path: Path, made_by: str, version: int, most_bytes: int, shape: tuple[int, int] = (0, 0)) -> Fields | None:
    """The fields of a file beside a checkpoint; None if there is no such file.

    Args:
        made_by, version: what its fields `format` and `version` have to be.

    Raises:
        CheckpointError: the file is damaged or not ours; the message says what is wrong.
    """
    name = path.name
    try:
        content = json.loads(read_bytes(path, most_bytes), parse_constant=_no_number)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"{name}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{name}: not JSON ({error}); the copy is incomplete or was changed") from error
    if not isinstance(content, dict) or content.get("format") != made_by:
        raise CheckpointError(f"{name}: not made by this program")
    if content.get("version") != version:
        raise CheckpointError(f"{name}: version {content.get('version')!r}, this program reads version {version}")
    return Fields(name, content, shape)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


class Fields:
    """One object of a JSON file.

    Args:
        where: the file, and the path to this object, for messages.
        shape: layers, heads.

    Raises:
        CheckpointError: from every method, when the field is missing or not what it has to be.
    """

    def __init__(self, where: str, content: Any, shape: tuple[int, int]) -> None:
        if not isinstance(content, dict):
            raise CheckpointError(f"{where}: expected named fields")
        self._where, self._content, self._shape = where, content, shape

    def wrong(self, name: str, expected: str) -> CheckpointError:
        return CheckpointError(f"{self._where}: {name} is not {expected}; the copy is incomplete or was changed")

    def inside(self, name: str) -> Fields:
        """The object in a field."""
        return Fields(f"{self._where}, {name}", self._content.get(name), self._shape)

    def maybe(self, name: str) -> Fields | None:
        """The object in a field, or None where there is nothing."""
        return None if self._content.get(name) is None else self.inside(name)

    def shaped(self, shape: tuple[int, int]) -> Fields:
        """The same object, whose tables have this shape."""
        return Fields(self._where, self._content, shape)

    def of(self, content: Any) -> Fields:
        """An object in a list of this one."""
        return Fields(self._where, content, self._shape)

    def several(self, name: str) -> list[Fields]:
        """The objects of a list."""
        value = self._content.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return [self.of(each) for each in value]

    def text(self, name: str, longest: int = 1000) -> str:
        """Text that can be written, and not only blanks."""
        value = self._content.get(name)
        if not isinstance(value, str) or not value.strip() or len(value) > longest or SURROGATE.search(value):
            raise self.wrong(name, f"a text of up to {longest:,} characters")
        return value

    def whole(self, name: str, least: int, most: int = 10**9) -> int:
        value = self._content.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(name, f"a whole number from {least:,} to {most:,}")
        return value

    def number(self, name: str, least: float, most: float) -> float:
        return self._number(name, self._content.get(name), least, most)

    def table(self, name: str, least: float, most: float) -> Doubles:
        """Numbers in a range, (L, h)."""
        return np.array(self.rows(name, lambda at, value: at._number(name, value, least, most)))

    def rows(self, name: str, read: Callable[[Fields, Any], T]) -> tuple[tuple[T, ...], ...]:
        """Anything, layers × heads."""
        layers, heads = self._shape
        rows = self._content.get(name)
        if not isinstance(rows, list) or len(rows) != layers or any(not isinstance(r, list) or len(r) != heads for r in rows):
            raise self.wrong(name, f"{layers} rows of {heads}, one for each head of this model")
        return tuple(tuple(read(self, value) for value in row) for row in rows)

    def one_of(self, value: Any, known: Iterable[str]) -> str:
        if not isinstance(value, str) or value not in known:
            raise self.wrong(f"{value!r:.40}", f"one of {', '.join(sorted(known))}")
        return value

    def _number(self, name: str, value: Any, least: float, most: float) -> float:
        try:
            number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
        except OverflowError:  # a whole number of hundreds of digits
            number = math.nan
        if not math.isfinite(number) or not least <= number <= most:
            raise self.wrong(name, f"a number from {least:,} to {most:,}" if math.isfinite(most) else "a number")
        return number
