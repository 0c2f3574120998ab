"""What a session looks at without keeping it: many sessions stay open for long, each with a sentence of tens of megabytes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Recalled(Generic[Thing]):
    """Something that is had by calling this: the same as long as anybody keeps it, and else computed again."""

    def __init__(self, thing: Thing, again: Callable[[], Thing]) -> None:
        self._thing = weakref.ref(thing)
        self._again = again

    def __call__(self) -> Thing:
        thing = self._thing()
        if thing is None:
            thing = self._again()
            self._thing = weakref.ref(thing)
        return thing
