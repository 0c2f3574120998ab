"""Simulated readers of a class: each types different sentences, and visits pages and uses controls in turn."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from benchmarks.answer import Answer, NoAnswer
from benchmarks.websocket_session import Session

SENTENCE, PAGE, CONTROL, STEP, BUTTON = "new sentence", "page change", "control", "step", "button"
FIRST = "first page"
EVERY = {SENTENCE: 20.0, PAGE: 10.0, CONTROL: 3.0}
"""Seconds from one to the next, of one reader."""
RESTS = 2.0
"""Seconds between two steps on which a reader rests."""
ARRIVALS = 5.0
"""Readers that open the app within a second, at the beginning."""
WORDS = (
    (
        "old man",
        "young woman",
        "teacher",
        "little girl",
        "farmer",
        "driver",
        "doctor",
        "king",
        "student",
        "baker",
        "cat",
        "big dog",
    ),
    ("sees", "likes", "found", "sold", "wants", "lost", "bought", "brought"),
    ("red car", "green apple", "old book", "small house", "letter", "picture", "white horse", "piece of bread", "key", "new table"),
    ("in the garden", "at night", "on the street", "this morning", "in the city", "after school", "without a word", "every summer"),
)


@dataclass(frozen=True)
class Noted:
    """The outcome of one action of a reader: an answer, or the reason why there is none."""

    what: str
    answer: Answer | None
    missing: str = ""

    @property
    def errors(self) -> list[str]:
        return [self.missing] if self.answer is None else self.answer.errors


def sentences() -> Iterator[str]:
    """Thousands of different sentences, shuffled in each run, since the server may have cached those of the last one."""
    every = [f"The {who} {does} the {what} {rest}." for who, does, what, rest in itertools.product(*WORDS)]
    random.shuffle(every)
    return iter(every)


class Reader:
    """One session and what is done in it; connects anew after no answer, as a reader reloads."""

    def __init__(self, url: str, number: int, texts: Iterator[str], noted: list[Noted]) -> None:
        self._url, self._texts, self._noted = url, texts, noted
        self._dice = random.Random(number)
        self._session: Session | None = None
        self._lecture = False
        self._step = 0
        self._lost_at = 0.0
        self.lost: list[float] = []
        """Seconds without a page, each time that the connection was lost."""

    async def arrive(self, after: float = 0.0) -> None:
        """Opens the app, after so many seconds."""
        await asyncio.sleep(after)
        try:
            self._session = await Session.open(self._url)
            self._noted.append(Noted(FIRST, await self._session.start()))
            if self._lost_at:
                self.lost.append(time.perf_counter() - self._lost_at)
                self._lost_at = 0.0
        except NoAnswer as error:
            await self.leave()
            self._noted.append(Noted(FIRST, None, str(error)))

    async def tour(self) -> None:
        """Sees every page once."""
        for page in [*self._session.pages] if self._session else ():
            await self._note(PAGE, partial(Session.go, page=page))

    async def read(self, every: Mapping[str, float], until: float) -> None:
        """Does these things, each so many seconds after the last of its kind, one after the other, until a time of the clock."""
        due = {what: time.perf_counter() + self._dice.uniform(0, seconds) for what, seconds in every.items()}
        while True:
            what = min(due, key=lambda each: due[each])
            if due[what] >= until:
                return
            await asyncio.sleep(due[what] - time.perf_counter())
            await self.do(what)
            due[what] = max(due[what] + every[what], time.perf_counter())

    async def do(self, what: str) -> None:
        """One of them, answered or not."""
        await self._note(what, lambda session: self._ask(what, session))

    async def _note(self, what: str, ask: Callable[[Session], Awaitable[Answer]]) -> None:
        if self._session is None:
            await self.arrive()
            return
        try:
            self._noted.append(Noted(what, await ask(self._session)))
        except NoAnswer as error:
            self._noted.append(Noted(what, None, str(error)))
            self._lost_at = time.perf_counter()
            await self.leave()
            await self.arrive()

    async def leave(self) -> None:
        if self._session:
            await self._session.close()
        self._session = None

    async def _ask(self, what: str, session: Session) -> Answer:
        if what == BUTTON:
            return await session.press("again")
        if what == SENTENCE:
            self._step = 0
            return await session.visit(text=next(self._texts))
        if what == PAGE:
            return await session.go(self._dice.choice([page for page in session.pages if page != session.page] or [session.page]))
        if what == CONTROL and (offered := session.choosable()):
            name = self._dice.choice([*offered])
            return await session.visit(**{name: self._dice.choice(offered[name])})
        # A page drawn by the browser only has the player's controls; of these, lecture mode also changes what Python draws.
        self._lecture ^= what == CONTROL
        self._step += what == STEP
        steps = session.data("player")["limits"]["steps"]
        return await session.visit(step=str(self._step % steps + 1), lecture="on" if self._lecture else "off")
