"""Progress of a computation that loops: how many of its parts are done."""

from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item")
Progress = Callable[[int, int | None], None]
"""Called with the number of parts done and the total; the total is None while unknown.

A computation that can report its progress takes one as its last argument, `progress`; its result never depends on it.
"""


def counted(items: Iterable[Item], progress: Progress | None) -> Iterator[Item]:
    """The items one by one; each counts as done when the next is requested. The total is known if the items have a length."""
    total, done = len(items) if isinstance(items, Sized) else None, 0
    for item in items:
        if progress:
            progress(done, total)
        yield item
        done += 1
    if progress:
        progress(done, total)
