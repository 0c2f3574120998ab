"""Typed words as the value of an edit: a piece to force at a step, a word of the source to swap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from viz_core.edits.forms import Form

LONGEST = 60
"""Characters of a typed word."""
_REST = re.compile(r"([1-9][0-9]{0,4})\.(.*)", re.DOTALL)


class Texts(Mapping[int, str]):
    """Typed words by index, in order; hashable."""

    def __init__(self, words: Mapping[int, str] | Iterable[tuple[int, str]] = ()) -> None:
        self._words = dict(sorted(dict(words).items()))

    def __getitem__(self, index: int) -> str:
        return self._words[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __hash__(self) -> int:
        return hash(tuple(self._words.items()))

    def __repr__(self) -> str:
        return repr(self._words)


class Words(Form):
    """Typed words by index; an entry for each, such as `3.Katze`. A blank one is none."""

    empty = Texts()
    parts = ("index", "text")

    def clean(self, value: Mapping[int, str] | Iterable[tuple[int, str]]) -> Texts:
        typed = {index: text.encode(errors="ignore").decode()[:LONGEST].strip() for index, text in dict(value).items()}
        return Texts({index: text for index, text in typed.items() if text and index >= 0})

    def read(self, rest: str, sofar: Texts) -> Texts:
        found = _REST.fullmatch(rest)
        if not found or self.clean({0: found[2]}) != {0: found[2]}:
            raise ValueError(rest)
        return Texts({**sofar, int(found[1]) - 1: found[2]})

    def write(self, value: Texts) -> list[str]:
        return [f"{index + 1}.{text}" for index, text in value.items()]
