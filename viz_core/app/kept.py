"""Large messages that a browser keeps, so that a run sends their hashes alone."""

from __future__ import annotations

from collections.abc import Iterable, Set


class Kept(frozenset[str]):
    """The hashes of these messages. Streamlit asks for each large message of a run whether it is among them.

    Attributes:
        asked: all that Streamlit has asked for.
    """

    def __init__(self, hashes: Iterable[str]) -> None:
        self.asked: set[object] = set()

    def __contains__(self, message: object) -> bool:
        self.asked.add(message)
        return super().__contains__(message)


def still_kept(told: frozenset[str], hashes: Set[object], new: Set[object]) -> Kept:
    """What the browser still keeps when it reads what this run sends.

    A message that two runs in a row have not shown is forgotten in the browser at the end of the second; a hash that it no longer
    knows ends its connection for good. What it told is out of date where it had not read yet what the last run sent, which is
    something new each time, such as the player. Then only that is sure which the last run sent as a hash, too.

    Args:
        told: by the browser, with its request for this run.
        hashes, new: what the last run sent as a hash, and what it sent whole.
    """
    return Kept(told if new and new <= told else told & hashes)
