"""A talk's file in blocks: the top, then one for each [[view]], so that an error in one leaves the others alone."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

MOST = 500
"""Views that a talk may have."""
REACH = 6
"""Lines that look like [[view]] inside one text; more in one note are not believed."""
DOTS = 200
"""In one line: tomllib's time grows with the square of the dots in a key."""
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*view[ \t]*\]\][ \t]*(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A part of the file. line: of its first line, from 1."""

    line: int
    text: str


def blocks(text: str) -> list[Block]:
    """The top of the file, which may be empty, then the blocks of the views; at most one more than a talk may have."""
    starts = [0, *(header.start() for header in _HEADER.finditer(text))]
    ends = [*starts[1:], len(text)]
    found: list[Block] = []
    line, first = 1, 0
    while first < len(starts) and len(found) <= MOST + 1:
        last = _last(text, starts, ends, first)
        found.append(Block(line, text[starts[first] : ends[last]]))
        line += found[-1].text.count("\n")
        first = last + 1
    return found


def _last(text: str, starts: list[int], ends: list[int], first: int) -> int:
    """The part with which this block ends: a note in which a line reads [[view]] ends only further down."""
    for last in range(first, min(first + REACH, len(starts))):
        try:
            parse(text[starts[first] : ends[last]])
        except (ValueError, RecursionError):
            continue
        return last
    return first


def parse(text: str) -> dict[str, Any]:
    """TOML.

    Raises:
        ValueError: it is not; the message ends in the place.
        RecursionError: brackets are nested too deep.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DOTS:
            raise ValueError(f"More than {DOTS} dots in one line (at line {number}, column 1)")
    return tomllib.loads(text)
