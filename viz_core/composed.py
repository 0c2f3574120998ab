"""Text in composed form (Unicode's NFC): «é» is one character however it was typed. Keeps the place of each character."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

UNSEEN = re.compile(
    "[\\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]*"
)
"""Blanks, and what Unicode calls default-ignorable: characters without a sign of their own, such as a zero-width space."""


@dataclass(frozen=True)
class Composed:
    """A text in composed form.

    Attributes:
        text: in NFC.
        starts, ends: the place of each character in the original. Characters that were composed together share a place.
    """

    text: str
    starts: range | list[int]
    ends: range | list[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the original."""
        if start == end:
            place = self.starts[start] if start < len(self.text) else self.ends[-1] if self.text else 0
            return place, place
        return self.starts[start], self.ends[end - 1]


def composed(text: str) -> Composed:
    if unicodedata.is_normalized("NFC", text):
        return Composed(text, range(len(text)), range(1, len(text) + 1))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _runs(text):
        part = unicodedata.normalize("NFC", text[start:end])
        same = part == text[start:end]
        starts += range(start, end) if same else [start] * len(part)
        ends += range(start + 1, end + 1) if same else [end] * len(part)
        parts.append(part)
    return Composed("".join(parts), starts, ends)


def is_blank(text: str) -> bool:
    """True if nothing of a text is visible: it is empty, or all blanks and zero-width characters."""
    return UNSEEN.fullmatch(text) is not None


def is_mark(sign: str) -> bool:
    """True if a character belongs to the one before it, as an accent does."""
    return unicodedata.category(sign)[0] == "M"


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each run that composes together: a character and its marks, or the letters of a Hangul syllable."""
    start = 0
    for i in range(1, len(text)):
        if unicodedata.combining(text[i]):
            continue
        before = unicodedata.normalize("NFC", text[start:i])[-1:]
        if len(unicodedata.normalize("NFC", before + text[i])) > 1 or unicodedata.combining(text[i - 1]):
            yield start, i
            start = i
    if text:
        yield start, len(text)
