"""A talk's file in blocks, so that an error in one leaves the others alone: the top, then one for each [[view]].

The entries of a block are checked one by one; a wrong one is reported with its line, and left out.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from viz_core.analysis.exercises import NAMES
from viz_core.app.addresses import nearest
from viz_core.app.talks.talk import MARKS, Claim, Hide, Mark, Problem
from viz_core.browser.prediction import hidden_on
from viz_core.params import OPTIONS, SHARED, TALK, WALKED, Cell, Item, Number, Param
from viz_core.texts import enumerated, fill, texts

MOST = 500
"""Most views in a talk."""
REACH = 6
"""How many lines inside one note may look like [[view]]."""
DOTS = 200
"""Most dots in one line: tomllib's time grows with the square of the dots in a key."""
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*view[ \t]*\]\][ \t]*(?:#.*)?$", re.MULTILINE)
OWN = ("page", "title", "caption", "note", "todo", "mark", "exercise", "hide", "minutes", "claim")
TAKEN = (*SHARED, *TALK, "embed", "embed_options")
"""Parameters of an address that the app sets itself."""
CHECKED: Mapping[type[Param[Any]], str] = {Item: "whole_number", Cell: "cell", Number: "number"}
"""Kinds of parameters with values that can be checked here → the text that says what they may be."""
LONGEST = 10_000
"""Most characters of a parameter."""
LONGEST_CAPTION = 90
"""Most characters of a caption."""
LARGEST = 2**63
ENOUGH = 100
"""Number of problems after which wrong entries are left out silently."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Block:
    """A part of the file. line: number of its first line, from 1."""

    line: int
    text: str


def blocks(text: str) -> list[Block]:
    """The top of the file, which may be empty, then the blocks of the views, at most one more than a talk may have."""
    starts = [0, *(header.start() for header in _HEADER.finditer(text)), len(text)]
    parts: list[Block] = []
    first = 0
    while first < len(starts) - 1 and len(parts) <= MOST + 1:
        # A note may contain a line that reads [[view]], and then ends only further down.
        ends = range(first + 1, min(first + 1 + REACH, len(starts)))
        end = next((end for end in ends if _is_toml(text[starts[first] : starts[end]])), first + 1)
        parts.append(Block(text.count("\n", 0, starts[first]) + 1, text[starts[first] : starts[end]]))
        first = end
    return parts


def _is_toml(text: str) -> bool:
    try:
        parse(text)
    except (ValueError, RecursionError):
        return False
    return True


def parse(text: str) -> dict[str, Any]:
    """Parses TOML.

    Raises:
        ValueError: it is not TOML; the message ends with the place.
        RecursionError: brackets are nested too deeply.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > DOTS:
            raise ValueError(f"More than {DOTS} dots in one line (at line {number}, column 1)")
    return tomllib.loads(text)


@dataclass(frozen=True)
class Checked:
    """The values of one table, checked as they are read; errors go to `problems`."""

    block: Block
    values: dict[str, Any]
    problems: list[Problem]

    def complain(self, key: str, problem: str, **values: object) -> None:
        """Reports an error in an entry, at its line; `problem` names a text of `app.talk_problems`."""
        if len(self.problems) < ENOUGH:
            if "value" in values:
                values["value"] = _short(values["value"])
            reason = fill(texts("app.talk_problems")[problem], values)
            self.problems.append(Problem(self._line(key), f"{_short(key)}: {reason}" if key else reason))

    def _line(self, key: str) -> int:
        named = re.search(
            rf"""^[ \t]*(?:\[+[ \t]*(?:view[ \t]*\.[ \t]*)?)?["']?{re.escape(key)}["']?[ \t]*[=.\]]""",
            self.block.text,
            re.MULTILINE,
        )
        return self.block.line + (self.block.text.count("\n", 0, named.start()) if key and named else 0)

    def unknown(self, known: Collection[str]) -> list[str]:
        return [key for key in self.values if key not in known]

    def _entry(self, key: str, default: Any, good: Callable[[Any], bool], problem: str, **values: object) -> Any:
        """The value of an entry; the default if it is missing or wrong."""
        value = self.values.get(key, default)
        if key not in self.values or good(value):
            return value
        self.complain(key, problem, value=value, name=key, **values)
        return default

    def text(self, key: str) -> str:
        return str(self._entry(key, "", lambda value: isinstance(value, str), "text")).strip()

    def caption(self) -> str:
        """One line of at most LONGEST_CAPTION characters: a longer one would not fit beside the title."""
        return str(self._entry("caption", "", _is_caption, "caption", most=LONGEST_CAPTION)).strip()

    def table(self, key: str) -> dict[str, Any]:
        return dict(self._entry(key, {}, lambda value: isinstance(value, dict), "table"))

    def hide(self, page: str) -> Hide:
        """An answer that the page can hide, or nothing."""
        known = hidden_on(page)
        hidden: Hide = self._entry("hide", "", lambda value: value in ("", *known), "hide", known=enumerated(map(_short, known)))
        return hidden

    def mark(self) -> Mark:
        marked: Mark = self._entry("mark", "", lambda value: value in MARKS, "mark")
        return marked

    def exercise(self) -> str:
        """The name of an exercise; empty if there is none."""
        return str(self._entry("exercise", "", lambda value: value in NAMES, "exercise"))

    def switch(self, key: str) -> bool:
        return bool(self._entry(key, False, lambda value: isinstance(value, bool), "switch"))

    def minutes(self) -> float | None:
        """More than 0, at most a day."""
        value = self._entry("minutes", None, lambda value: _is_number(value) and 0 < value <= 24 * 60, "minutes")
        return None if value is None else float(value)

    def claims(self) -> tuple[Claim, ...]:
        """The note's statements about numbers, as tables of texts and numbers."""
        value = self.values.get("claim", [])
        claims = value if isinstance(value, list) else [value]
        good = [c for c in claims if isinstance(c, dict) and all(isinstance(v, str) or _is_number(v) for v in c.values())]
        if len(good) < len(claims):
            self.complain("claim", "claims")
        return tuple(good)

    def page(self, pages: Collection[str] | None, number: int) -> str | None:
        """The page of a view, the `number`-th of the file; None if it is missing or unknown."""
        value = self.values.get("page")
        if isinstance(value, str) and (_NAME.fullmatch(value) if pages is None else value in pages):
            return value
        words, title = texts("app.talk_problems"), self.values.get("title")
        known = fill(words["known_pages"], {"pages": enumerated(pages)}) if pages else ""
        view = fill(words["view_titled" if title else "view"], {"number": number, "title": _short(title)})
        if value is None:
            self.complain("", "no_page", view=view, known=known)
        else:
            near = nearest(str(value), pages or ())
            known = (fill(words["near_page"], {"pages": enumerated(near)}) if near else "") + known
            self.complain("page", "unknown_page", value=value, view=view, known=known)
        return None

    def parameters(self, known: Collection[str] | None = None) -> dict[str, str]:
        """All other entries, as parameters of an address. known: allowed names; None allows all."""
        read = {key: self._parameter(key, self.values[key], known) for key in self.unknown(OWN)}
        return {key: text for key, text in read.items() if text is not None}

    def _parameter(self, key: str, value: Any, known: Collection[str] | None) -> str | None:
        if not isinstance(value, str) and not _is_number(value):
            self.complain(key, "value", value=value)
            return None
        text = f"{value:.10g}" if isinstance(value, float) else str(value)
        if not _NAME.fullmatch(key) or key in TAKEN:
            self.complain(key, "not_a_parameter")
        elif known is not None and key not in known:
            near = get_close_matches(key, [*OWN, *known], 1)
            self.complain(key, "unknown_name_near" if near else "unknown_name", near="".join(near))
        elif len(text) > LONGEST:
            self.complain(key, "too_long", length=f"{len(text):,}", most=f"{LONGEST:,}")
        elif (param := (WALKED | OPTIONS).get(key)) and type(param) in CHECKED and not param.has(text):
            self.complain(key, CHECKED[type(param)], **{"value": value, **vars(param)})
        else:
            return text
        return None


def _is_number(value: object) -> bool:
    """Whether a value is a finite 64-bit number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST < value < LARGEST


def _is_caption(value: object) -> bool:
    return isinstance(value, str) and len(value.strip()) <= LONGEST_CAPTION and len(value.strip().splitlines()) <= 1


def _short(value: object) -> str:
    """Any value, short enough for a message."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str) and not _is_number(value):
        words = texts("app.talk_problems")
        kinds = {int: words["a_large_number"], float: words["not_finite"], list: words["a_list"], dict: words["a_table"]}
        return str(kinds.get(type(value), words["a_date"]))
    text = str(value)
    return f"«{text[:40]}…»" if len(text) > 40 else f"«{text}»"
