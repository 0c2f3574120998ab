"""Sentence pairs read from a file: source, tab, target on each line."""

import io
import itertools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from viz_core.composed import is_blank
from viz_core.errors import PairsError, TextError
from viz_core.text_lines import file_message, text_lines

Pair = tuple[str, str]
LONGEST_LINE = 20_000
"""Most bytes in a line of a small file, unpacked; with the number of lines, it bounds the size of an unpacked file."""
MOST_BLANK = 5
"""Most lines of a small file, blank ones included, for each pair that it may have."""
MOST_LISTED = 10
"""How many unusable lines are listed one by one."""
ATTRIBUTION = re.compile(r"CC[- ]BY\b.*\btatoeba\.org\b", re.IGNORECASE)
"""The third column of the files of manythings.org/anki."""
FORMATS = {r'\s*(?:[\[{\]}]|"\w+"\s*:)': "json", r"\s*<[?!/\w]": "xml"}
SIGNS = {r"\\t": "backslash", r"\|\|\|": "bars", ";": "semicolons", ",": "commas", r"\S {2,}\S": "blanks"}
"""Beginning of a line without a tab, or the sign in place of one → key of its name; the first match counts."""


@dataclass(frozen=True)
class PairFile:
    """The pairs of a file.

    Attributes:
        blank: numbers of its blank lines, which are left out.
        attributed: number of lines whose third column, an attribution to Tatoeba, is left out.
    """

    name: str
    pairs: tuple[Pair, ...]
    blank: tuple[int, ...] = ()
    attributed: int = 0

    def line(self, index: int) -> int:
        """The line number of a pair, from 1."""
        number = index + 1
        for blank in self.blank:
            number += blank <= number
        return number

    def notes(self) -> list[str]:
        """Sentences about the lines that were left out."""
        sentences = []
        if self.blank:
            sentences.append(f"{self.name}: {counted(len(self.blank), 'blank line')} left out")
        if self.attributed:
            lines = counted(self.attributed, "line")
            sentences.append(f"{self.name}: the third column, an attribution to Tatoeba, left out of {lines}")
        return sentences


def read_pairs(path: Path, note: Callable[[str], object] = lambda text: None) -> list[Pair]:
    """All pairs of the file.

    Args:
        note: called with a sentence about lines that were left out.

    Raises:
        PairsError: the file cannot be read, or lines are not two non-empty columns; the message names the first of them.
    """
    path = Path(path)
    try:
        with path.open("rb") as raw:
            file = _read(raw, path.name)
    except FileNotFoundError:
        raise PairsError(f"{path}: no such file") from None
    except OSError as error:  # such as a folder
        raise PairsError(f"{path}: cannot be read ({error.strerror or error})") from error
    for text in file.notes():
        note(text)
    return list(file.pairs)


def read_few(content: bytes, name: str, most: int, mark: str = "") -> PairFile:
    """All pairs of a small file from a user.

    Args:
        name: of the file, for messages.
        most: how many pairs it may have, each on a line of at most LONGEST_LINE bytes.
        mark: separator of a line without a tab, such as "=", where a tab cannot be typed.

    Raises:
        PairsError: as for `read_pairs`; or the file is larger.
    """
    return _read(io.BytesIO(content), name, most, mark)


def read_references(path: Path, note: Callable[[str], object] = lambda text: None) -> list[tuple[str, list[str]]]:
    """Each source once, with all its translations on adjacent lines; arguments and errors as for `read_pairs`."""
    return references(read_pairs(path, note))


def references(pairs: Iterable[Pair]) -> list[tuple[str, list[str]]]:
    """Each source once, with all its adjacent translations."""
    groups = itertools.groupby(pairs, key=lambda pair: pair[0])
    return [(source, [target for _, target in group]) for source, group in groups]


def refuse(name: str, problems: Iterable[tuple[int, str]], last: str = "") -> None:
    """Raises a PairsError that lists the first problems, if there are any.

    Args:
        problems: (line number, description).
        last: the problem that ended the reading, if any.
    """
    wrong = list(problems)
    if len(wrong) == 1 and not last:
        raise PairsError(file_message("one_line", name=name, number=wrong[0][0], what=wrong[0][1]))
    if wrong:
        lines = [file_message("line", number=number, what=what) for number, what in wrong[:MOST_LISTED]]
        more = [file_message("more", count=len(wrong) - MOST_LISTED)] if len(wrong) > MOST_LISTED else []
        head = file_message("unusable" if len(wrong) > 1 else "unusable_one", name=name, count=len(wrong))
        raise PairsError(head + "".join(f"\n  {line}" for line in lines + more) + (f"\n{last}" if last else ""))
    if last:
        raise PairsError(last)


def counted(count: int, what: str) -> str:
    """A number with its noun."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def _read(raw: BinaryIO, name: str, most: int | None = None, mark: str = "") -> PairFile:
    pairs: list[Pair] = []
    blank: list[int] = []
    problems: list[tuple[int, str]] = []
    attributed = number = 0
    last = ""
    try:
        for number, (text, cut) in enumerate(text_lines(raw, name, -1 if most is None else LONGEST_LINE), start=1):
            if cut:
                raise TextError(file_message("long_line", name=name, number=number, most=LONGEST_LINE))
            filled = not is_blank(text)
            if most is not None and (number > MOST_BLANK * most or (filled and len(pairs) + len(problems) >= most)):
                raise TextError(file_message("too_many", name=name, number=number, most=most))
            if not filled:
                blank.append(number)
                continue
            typed = bool(mark) and "\t" not in text
            columns = text.rstrip("\r").split(mark if typed else "\t")
            if len(columns) == 3 and ATTRIBUTION.match(columns[2].strip()):
                attributed += 1
                columns = columns[:2]
            if what := _wrong(columns, mark):
                instead = "" if typed else _instead(columns, number == 1)
                problems.append((number, what + instead))
            else:
                pairs.append((columns[0].strip(), columns[1].strip()))
    except TextError as error:
        last = str(error)
    if not pairs and not problems and not last:
        last = file_message("all_blank" if blank else "empty", name=name)
    refuse(name, problems, last)
    return PairFile(name, tuple(pairs), tuple(blank), attributed)


def _wrong(columns: list[str], mark: str) -> str:
    """The error in a line; empty if it is a pair."""
    if len(columns) != 2:
        expected = file_message("mark_or_tab", mark=mark) if mark else file_message("tab")
        return file_message("column" if len(columns) == 1 else "columns", count=len(columns), mark=expected)
    empty = [key for key, text in zip(("source_empty", "target_empty"), columns, strict=True) if is_blank(text.strip())]
    return file_message(empty[0]) if empty else ""


def _instead(columns: list[str], is_first: bool) -> str:
    """Advice for a line of another format; is_first: whether it is the file's first line."""
    if len(columns) == 2:
        return ""
    if any("\r" in column for column in columns):
        return file_message("has_cr")
    if len(columns) > 2:
        if not "".join(columns[2:]).strip():
            return file_message("ends_in_tab")
        if len(columns) == 4 and columns[0].strip().isdecimal() and columns[2].strip().isdecimal():
            return file_message("numbers")
        filled = [str(number) for number, text in enumerate(columns, start=1) if not is_blank(text.strip())]
        return file_message("keep_two", fields=",".join(filled if len(filled) == 2 else "12"))
    for pattern, what in FORMATS.items():
        if re.match(pattern, columns[0]):
            return file_message("another_format", what=file_message(what))
    for pattern, what in SIGNS.items():
        if re.search(pattern, columns[0]):
            return file_message("other_sign", what=file_message(what))
    return file_message("two_files") if is_first else ""
