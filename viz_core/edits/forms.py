"""Values of edits, and how they are written in a link.

A link has one or more entries for a value. The part of an entry after its name is called its rest, such as `self.2.5` in
`heads.self.2.5`. Numbers count from 1 in a link and from 0 in code.
"""

import itertools
import numbers
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from viz_core.composed import is_blank
from viz_core.config import ModelConfig
from viz_core.errors import ConfigError, nearest
from viz_core.trace import BLOCK, BLOCKS

LARGEST = 32  # the largest layer or head that a link can name, to bound the memory that a range takes
_RANGE = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?")
NAMES: Mapping[str, Sequence[str]] = {
    "kind": tuple(BLOCK),
    "stack": tuple(BLOCKS),
    "block": tuple(dict.fromkeys(block for blocks in BLOCKS.values() for block in blocks)),
}
"""The parts of a rest that are names; all others are numbers."""
LONGEST = 60  # characters of a typed word
_TYPED = re.compile(r"([1-9][0-9]{0,4})\.(.*)", re.DOTALL)


class Form:
    """One kind of value.

    Attributes:
        empty: the value that changes nothing.
        parts: names of the parts of a rest, which dots separate; the last one may contain dots.
    """

    empty: Any
    parts: tuple[str, ...] = ()

    def clean(self, value: Any) -> Any:
        """The value in stored, hashable form; raises ConfigError for a wrong kind, a number out of range, or an unknown name."""
        raise NotImplementedError

    def read(self, rest: str, sofar: Any) -> Any:
        """The value so far with one more entry; raises ValueError or ConfigError for a meaningless rest."""
        raise NotImplementedError

    def write(self, value: Any) -> list[str]:
        """The rests of its entries; none for the empty value."""
        raise NotImplementedError

    def fit(self, value: Any, config: ModelConfig) -> tuple[Any, Any]:
        return value, self.empty

    def missing(self, value: Any, config: ModelConfig) -> str:
        """A message that names the part that a model of this shape lacks; empty if it has all."""
        return ""


class Switch(Form):
    """On or off; its entry is the name alone."""

    empty = False

    def clean(self, value: Any) -> bool:
        return bool(value)

    def read(self, rest: str, sofar: bool) -> bool:
        if rest:
            raise ValueError(rest)
        return True

    def write(self, value: bool) -> list[str]:
        return [""] * value


class Quantity(Form):
    """A number in a closed range; `empty` is the one that changes nothing."""

    parts = ("value",)

    def __init__(self, lowest: float, highest: float, empty: float) -> None:
        self.lowest, self.highest, self.empty = lowest, highest, empty

    def clean(self, value: Any) -> float:
        if not isinstance(value, numbers.Real):
            raise ConfigError(f"{value!r} is no number, expected {self.lowest:g} to {self.highest:g}")
        if not self.lowest <= float(value) <= self.highest:  # nan, too, is outside
            raise ConfigError(f"{value} is out of range, expected {self.lowest:g} to {self.highest:g}")
        return float(value)

    def read(self, rest: str, sofar: float) -> float:
        if not rest.isascii() or len(rest) > 24:
            raise ValueError(rest)
        return self.clean(float(rest))

    def write(self, value: float) -> list[str]:
        return [repr(value).removesuffix(".0")] * (value != self.empty)


class Kinds(Form):
    """Some of the three attentions; an entry for each."""

    empty: frozenset[str] = frozenset()
    parts = ("kind",)

    def clean(self, value: Iterable[str]) -> frozenset[str]:
        return frozenset(_known("kind", kind) for kind in _several(value))

    def read(self, rest: str, sofar: frozenset[str]) -> frozenset[str]:
        return sofar | {_known("kind", rest)}

    def write(self, value: frozenset[str]) -> list[str]:
        return [kind for kind in BLOCK if kind in value]


class Places(Form):
    """A set of places in the model, all of one type such as `Head`: `cross.1-4.2_5` are heads 2 and 5 in layers 1 to 4."""

    empty: frozenset[Any] = frozenset()

    def __init__(self, place: Any) -> None:
        self._place, self.parts = place, place._fields

    def clean(self, value: Iterable[Any]) -> frozenset[Any]:
        return frozenset(self._checked(place) for place in _several(value))

    def _checked(self, given: Any) -> Any:
        try:
            place = self._place(*given)
        except TypeError:
            raise ConfigError(f"{given!r} is no {self._place.__name__}, expected ({', '.join(self.parts)})") from None
        if isinstance(given, str):
            raise ConfigError(f"{given!r} is a text, expected ({', '.join(self.parts)})")
        return self._place(*(_known(p, v) if p in NAMES else _from_0(p, v) for p, v in zip(self.parts, place, strict=True)))

    def read(self, rest: str, sofar: frozenset[Any]) -> frozenset[Any]:
        texts = zip(self.parts, rest.split("."), strict=True)
        parts = [[_known(part, text)] if part in NAMES else _numbers(text) for part, text in texts]
        return sofar | {self._place(*values) for values in itertools.product(*parts)}

    def write(self, value: frozenset[Any]) -> list[str]:
        rows: list[tuple[Any, ...]] = [tuple(place) for place in value]
        for column in reversed([i for i, part in enumerate(self.parts) if part not in NAMES]):
            rows = _merged(rows, column)
        return sorted(".".join(row) for row in rows)

    def fit(self, value: frozenset[Any], config: ModelConfig) -> tuple[frozenset[Any], frozenset[Any]]:
        has = frozenset(place for place in value if not place.missing(config))
        return has, value - has

    def missing(self, value: frozenset[Any], config: ModelConfig) -> str:
        reasons = (f"{place}: {reason}" for place in sorted(value) if (reason := place.missing(config)))
        return next(reasons, "")


class Texts(dict[int, str]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


class Words(Form):
    """Typed words by index, an entry for each, such as `3.Katze`. Blank ones are left out."""

    empty = Texts()
    parts = ("index", "text")

    def clean(self, value: Mapping[int, str] | Iterable[tuple[int, str]]) -> Texts:
        typed = {index: text.encode(errors="ignore").decode()[:LONGEST].strip() for index, text in dict(value).items()}
        return Texts(sorted((_from_0("index", index), text) for index, text in typed.items() if not is_blank(text)))

    def read(self, rest: str, sofar: Texts) -> Texts:
        match = _TYPED.fullmatch(rest)
        if not match or self.clean({0: match[2]}) != {0: match[2]}:
            raise ValueError(rest)
        return self.clean({**sofar, int(match[1]) - 1: match[2]})

    def write(self, value: Texts) -> list[str]:
        return [f"{index + 1}.{text}" for index, text in value.items()]


def _several(value: Iterable[Any]) -> Iterable[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ConfigError(f"{value!r} is one value, expected a set of them")
    return value


def _known(part: str, name: Any) -> str:
    if name not in NAMES[part]:
        raise ConfigError(f"{part} {name!r} does not exist; {nearest(name, NAMES[part])}")
    return str(name)


def _from_0(part: str, number: Any) -> int:
    try:
        index = operator.index(number)
    except TypeError:
        index = -1
    if index < 0:
        raise ConfigError(f"{part} is {number!r}, expected a whole number from 0")
    return index


def _numbers(text: str) -> list[int]:
    """`1-3_5` → [0, 1, 2, 4]."""
    numbers: set[int] = set()
    for part in text.split("_"):
        ends = _RANGE.fullmatch(part)
        if not ends or int(ends[2] or 1) > LARGEST or int(ends[1]) > int(ends[2] or LARGEST):
            raise ValueError(text)
        numbers |= set(range(int(ends[1]) - 1, int(ends[2] or ends[1])))
    return sorted(numbers)


def _ranges(numbers: Iterable[int]) -> str:
    """The inverse of `_numbers`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return "_".join(f"{run[0] + 1}-{run[-1] + 1}" if len(run) > 1 else f"{run[0] + 1}" for run in runs)


def _merged(rows: Iterable[tuple[Any, ...]], column: int) -> list[tuple[Any, ...]]:
    """Joins rows that differ in this column alone, with its numbers as ranges."""
    by_rest: dict[tuple[Any, ...], list[int]] = {}
    for row in rows:
        by_rest.setdefault((*row[:column], *row[column + 1 :]), []).append(row[column])
    return [(*rest[:column], _ranges(numbers), *rest[column:]) for rest, numbers in by_rest.items()]
