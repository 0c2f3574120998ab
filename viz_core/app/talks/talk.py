"""A talk: an ordered list of views of the app, each with a speaker's note."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Hide = Literal["", "word", "source", "right", "figure"]
"""What a view hides until a key is pressed: nothing, or an answer of Predict, see `viz_core.browser.prediction`."""
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
