"""Progress of a computation that loops: how many of its parts are done, reported to whoever asked for it."""

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item")
Progress = Callable[[int, int | None], None]
"""Called with the number of parts done and of all parts; None where nobody knows yet how many there will be.

A computation that can say how far it is takes one as its last argument, `progress`; its result never depends on it.
"""


def counted(items: Iterable[Item], progress: Progress | None) -> Iterator[Item]:
    """The items one by one; each counts as done when the next is asked for. The total is known where the items have a length."""
    total, done = len(items) if isinstance(items, Sized) else None, 0
    for item in items:
        if progress:
            progress(done, total)
        yield item
        done += 1
    if progress:
        progress(done, total)
