"""What all controls have: name, value in the session, link; and the numbers of a link."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from viz_core.app import session

if TYPE_CHECKING:
    from viz_core.app.page import Page

Value = TypeVar("Value", int, str)
Picked = TypeVar("Picked")
DIGITS = 9
"""Of a number in a link."""


@dataclass(frozen=True)
class Control:
    """What all controls have.

    Attributes:
        name: in links, talks and "try this".
    """

    name: str

    def key(self, page: str) -> str:
        """Under which its value stands in the session."""
        return f"{page}_{self.name}"

    def values(self) -> str:
        """Its possible values, as docs/links.md lists them."""
        return ""

    def link(self, value: Any) -> str:
        """A value as it stands in a link."""
        return str(value)

    def _sync(
        self, p: Page, default: Any, read: Callable[[str], Any], *, options: Container[Any] | None = None, of: object = None
    ) -> None:
        """Before it is drawn: takes the link's value, or the default where its own is no option, or was for another `of`.

        Args:
            read: a value of the link → the nearest that it can have, which the page then says; None where it means nothing.
        """
        key, asked = self.key(p.name), session.asked(self.name)
        own = session.get(key)
        # "Try this" may set a control before it was ever drawn: nothing then says yet what its value is of. What a click has just
        # set is of what is shown now, which may be a later step than the last that was drawn here.
        others = session.get(f"{key}_of", of) != of and key not in session.touched()
        if session.arrived() or others or own is None or (options is not None and own not in options):
            found = None if asked is None else read(asked)
            own = default if found is None else found
            if asked is not None and not _same(asked, self.link(own)):
                shown = option_label(p, own) if self.link(own) == str(own) else self.link(own)
                session.say_instead(p.texts[self.name], asked, shown, nearest=found is not None)
            session.change(**{key: own})
        session.change(**{f"{key}_of": of})

    def _keep(self, value: Picked, default: Picked) -> Picked:
        """Into the address; returns the value."""
        session.keep(self.name, self.link(value), self.link(default))
        return value


def option_label(p: Page, value: object) -> str:
    """An option as the reader sees it."""
    return f"{value:,}" if isinstance(value, int) else str(p.texts.get(str(value), value))


def _same(asked: str, shown: str) -> bool:
    """Whether two values of a link are the same text, or the same number."""
    return asked == shown or (finite(asked) is not None and finite(asked) == finite(shown))


def whole(asked: str) -> int | None:
    return int(asked) if re.fullmatch(rf"-?[0-9]{{1,{DIGITS}}}", asked) else None


def whole_between(low: int, high: int, first: int = 0) -> Callable[[str], int | None]:
    """What reads a whole number of a link, as the nearest of a range; `first` is how 0 stands in the link."""
    return lambda asked: None if (number := whole(asked)) is None else min(max(number - first, low), high)


def finite(asked: str) -> float | None:
    try:
        value = float(asked[:40])
    except ValueError:
        return None
    return value if math.isfinite(value) else None
