"""A talk: an ordered list of views of the app, each with what the speaker says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

Hide = Literal["", "word", "source", "right", "figure"]
"""What a view hides until a key is pressed: nothing, or what Predict asks for, see `viz_core.browser.prediction`."""
Mark = Literal["", "next", "question", "stages"]
MARKS: tuple[Mark, ...] = ("", "next", "question", "stages")
"""What a card frames: nothing, the written token, the question of Predict, or the operations inside a step."""
Claim = Mapping[str, str | int | float]
new_key = count(1).__next__
"""A number that no other view of this process has."""


@dataclass(frozen=True)
class TalkView:
    """One view of a talk.

    Attributes:
        page: the page's name in the address; `overview` for the first page.
        title: short, shown large on stage.
        caption: one short sentence, shown beside the title on stage in place of what the page says of itself.
        note: what the speaker says; may have several lines. In a lesson, what the reader reads.
        hide: what the class guesses before it is shown.
        minutes: how long it takes; None: an equal share of what the others leave.
        parameters: of the link, as they stand in an address: numbers count from 1.
        claims: what the note says of the numbers, for a test that measures it again.
        todo: in a lesson, the one thing to do.
        mark: in a lesson, the part of the page that is framed: one of MARKS.
        exercise: in a lesson, what the card asks: one of `viz_core.analysis.exercises.NAMES`, or nothing.
        key: names this view while it is edited, whatever its texts and wherever it stands; no part of its file.
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
        """The parameters of the address that shows this view; the page is not among them."""
        return {**self.parameters, "predict": self.hide} if self.hide else dict(self.parameters)


@dataclass(frozen=True)
class Talk:
    """A talk, or a lesson: a talk for one reader, whose notes stand on cards beside the picture.

    minutes: as announced, None where the file does not say. name: its file's, without `.toml`.
    """

    name: str
    title: str
    minutes: float | None = None
    about: str = ""
    views: tuple[TalkView, ...] = ()
    is_lesson: bool = False

    def starts(self) -> list[float] | None:
        """At which minute each view begins; None where the talk's length is unknown."""
        if self.minutes is None:
            return None
        given = [view.minutes for view in self.views]
        rest = max(self.minutes - sum(minutes or 0.0 for minutes in given), 0.0)
        share = rest / max(given.count(None), 1)
        starts, at = [], 0.0
        for minutes in given:
            starts.append(at)
            at += share if minutes is None else minutes
        return starts


@dataclass(frozen=True)
class Problem:
    """What is wrong in a talk's file, and in which line, counted from 1; line 0 is the file as a whole."""

    line: int
    reason: str
