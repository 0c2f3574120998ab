"""A talk: an ordered list of views of the app, each with a speaker's note; and its file, laid out for editing by hand."""

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from viz_core.params import WALKED

Hide = Literal["", "word", "source", "right", "figure"]
"""The answer that a view hides until a key is pressed, if any; see Predict in `viz_core.browser.prediction`."""
Mark = Literal["", "next", "question", "stages"]
MARKS: tuple[Mark, ...] = ("", "next", "question", "stages")
"""The part of the page that a card frames: nothing, the next token, the question of Predict, or the operations of a step."""
Claim = Mapping[str, str | int | float]
new_key = itertools.count(1).__next__
"""A number unique among the views of this process."""


@dataclass(frozen=True)
class TalkView:
    """One view of a talk.

    Attributes:
        page: the page's name in the address; `overview` for the first page.
        title: short, shown large in lecture mode.
        caption: one short sentence, shown beside the title in lecture mode in place of the page's description.
        note: the speaker's text, which may have several lines; in a lesson, the reader's text.
        hide: what the class guesses before it is shown.
        minutes: its length; None: an equal share of the time that the others leave.
        parameters: of the link; numbers count from 1.
        claims: the note's statements about numbers, for a test that measures them again.
        todo: in a lesson, the one thing to do.
        mark: in a lesson, the framed part of the page: one of MARKS.
        exercise: in a lesson, the card's exercise: one of `viz_core.analysis.exercises.NAMES`, or nothing.
        key: identifies this view while it is edited; not in its file.
    """

    page: str
    title: str
    note: str = ""
    hide: Hide = ""
    minutes: float | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    todo: str = ""
    mark: Mark = ""
    caption: str = ""
    exercise: str = ""
    key: int = field(default_factory=new_key, compare=False, repr=False)

    def link(self) -> dict[str, str]:
        """The parameters of this view's address, without the page."""
        return {**self.parameters, "predict": self.hide} if self.hide else dict(self.parameters)


@dataclass(frozen=True)
class Talk:
    """A talk, or a lesson: a talk for one reader, with its notes on cards beside the picture.

    minutes: as announced; None if unknown. name: of its file, without `.toml`.
    """

    name: str
    title: str
    minutes: float | None = None
    about: str = ""
    views: tuple[TalkView, ...] = ()
    is_lesson: bool = False

    def starts(self) -> list[float] | None:
        """The minute at which each view begins; None if the talk's length is unknown."""
        if self.minutes is None:
            return None
        lengths = [view.minutes for view in self.views]
        rest = max(self.minutes - sum(minutes or 0.0 for minutes in lengths), 0.0)
        share = rest / max(lengths.count(None), 1)
        return [0.0, *itertools.accumulate(share if minutes is None else minutes for minutes in lengths)][:-1]


@dataclass(frozen=True)
class Problem:
    """An error in a talk's file, and its line from 1; line 0 means the whole file."""

    line: int
    reason: str


_SURROGATE = re.compile(r"[\ud800-\udfff]")


def dumps(talk: Talk) -> str:
    """Valid TOML, which `loads` reads back as the same talk, except for its name and blanks around texts.

    Half a surrogate pair, which UTF-8 cannot encode, becomes «�».
    """
    shared = _shared(talk.views)
    lines = [_entry("title", talk.title), *_given("minutes", talk.minutes), *_given("about", talk.about)]
    lines += ["lesson = true"] if talk.is_lesson else []
    if shared:
        lines += ["", "[defaults]", *(_entry(name, value) for name, value in shared.items())]
    for view in talk.views:
        own = {name: value for name, value in view.parameters.items() if name not in shared}
        lines += ["", "[[view]]", _entry("page", view.page), _entry("title", view.title), *_given("caption", view.caption)]
        lines += [*_given("minutes", view.minutes), *_given("hide", view.hide)]
        lines += [_entry(name, value) for name, value in own.items()]
        lines += [*_given("note", view.note), *_given("todo", view.todo), *_given("mark", view.mark)]
        lines += [*_given("exercise", view.exercise), *_claims(view)]
    return "\n".join(lines) + "\n"


def _shared(views: tuple[TalkView, ...]) -> dict[str, str]:
    """The parameters that all views share, written once."""
    if len(views) < 2:
        return {}
    return {name: value for name, value in views[0].parameters.items() if all(view.parameters.get(name) == value for view in views)}


def _given(name: str, value: Any) -> list[str]:
    return [] if value in (None, "") else [_entry(name, value)]


def _entry(name: str, value: Any) -> str:
    if isinstance(value, str) and name in WALKED and re.fullmatch(r"[1-9]\d*", value):
        return f"{name} = {value}"
    return f"{_key(name)} = {_value(value)}"


def _value(value: Any) -> str:
    """A value, with a text of several lines on several lines."""
    if isinstance(value, str) and "\n" in value:
        lines = (_inline(line)[1:-1] for line in value.split("\n"))
        return '"""\n' + "\n".join(lines) + '"""'
    return _inline(value)


def _inline(value: Any) -> str:
    """A value on one line. Texts are written as in JSON, from which TOML differs by one character."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_inline(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, str):
        return json.dumps(_SURROGATE.sub("�", value), ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{value:g}" if isinstance(value, float) and value.is_integer() else str(value)


def _claims(view: TalkView) -> list[str]:
    return ["claim = [", *(f"  {_inline(claim)}," for claim in view.claims), "]"] if view.claims else []


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _inline(name)
