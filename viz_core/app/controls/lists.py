"""Controls that are lists: one or several items of the sentence, such as its tokens; one of a few values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Generic

import streamlit as st

from viz_core.app import session
from viz_core.app.controls.behind import has_widget
from viz_core.app.controls.control import Control, Value, option_label, whole, whole_between

if TYPE_CHECKING:
    from viz_core.app.page import Page


@dataclass(frozen=True)
class Item(Control):
    """One of a list that depends on the sentence, such as its tokens; counted from 0 in code.

    Attributes:
        first: the number that the first of the list has in a link.
    """

    first: int = 1
    width: int = 220

    def values(self) -> str:
        return f"from {self.first}"

    def link(self, value: int) -> str:
        return str(value + self.first)

    def draw(self, p: Page, labels: Sequence[str], default: int = 0) -> int:
        """Index of the picked item; equal labels stay apart. Another list resets it to the default."""
        p.clickable[self.name] = 0
        offered = range(len(labels))
        default = min(default, offered[-1])
        self._sync(p, default, whole_between(0, offered[-1], self.first), options=offered, of=tuple(labels))
        picked = _box(self, p, offered, lambda i: f"{self.link(i)}  {labels[i]}")
        return self._keep(picked, default)


@dataclass(frozen=True)
class Items(Control):
    """A few of a list, counted from 0 in code, from 1 in a link, where they are joined by `-`."""

    most: int

    def values(self) -> str:
        return f"up to {self.most} numbers, such as 1-3"

    def link(self, value: Iterable[int]) -> str:
        return "-".join(str(i + 1) for i in sorted(value))

    def draw(self, p: Page, labels: Sequence[str], default: Sequence[int]) -> list[int]:
        """Indices of the picked items, in the order of the list; the default where none is."""
        key = self.key(p.name)
        if session.arrived() or session.get(key) is None:
            asked = session.asked(self.name)
            numbers = dict.fromkeys(whole(part) or 0 for part in (asked or "").split("-"))
            own = [number - 1 for number in numbers if 1 <= number <= len(labels)][: self.most] or list(default)
            if asked is not None and {i + 1 for i in own} != set(numbers):
                session.say_instead(p.texts[self.name], asked, self.link(own))
            session.change(**{key: own})
        chosen = st.multiselect(
            p.texts[self.name], range(len(labels)), key=key, format_func=lambda i: labels[i], max_selections=self.most,
            persist_state="session",
        )  # fmt: skip
        session.keep(self.name, self.link(chosen or default), self.link(default))
        return sorted(chosen) or list(default)


@dataclass(frozen=True)
class OneOf(Control, Generic[Value]):
    """One of a few values, which stands in a link as it is.

    Its help, where there is one, is the page's text `<name>_help`. A number that is not among them becomes the nearest.

    Attributes:
        options: empty where they depend on something else and are given to `draw`.
    """

    options: tuple[Value, ...] = ()
    default: Value | None = None
    width: int = 150

    def values(self) -> str:
        return " ".join(map(str, self.options))

    def draw(self, p: Page, options: Sequence[Value] = (), default: Value | None = None, *, of: object = None) -> Value:
        """The picked value; another `of` resets it to the default."""
        offered: Sequence[Value] = options or self.options
        usual: Value = next(each for each in (default, self.default, offered[0]) if each is not None)

        def read(asked: str) -> Value | None:
            number = None if isinstance(usual, str) else whole(asked)
            if number is None:
                return next((value for value in offered if asked == str(value)), None)
            return min(offered, key=lambda value: abs(int(value) - number))

        self._sync(p, usual, read, options=offered, of=of)
        return self._keep(_box(self, p, offered, partial(option_label, p)), usual)


def _box(control: Item | OneOf[Value], p: Page, values: Sequence[Value], shown: Callable[[Value], str]) -> Value:
    """A select box whose value is kept in the session, whether it is drawn or not.

    A select box in a closed popover does not learn that its value was set, and returns its old one in the next run. So a value that
    was set, and not picked in it, gets a new box: one under another key, which the browser does not know yet.
    """
    key = control.key(p.name)
    value: Value = session.get(key)
    if not has_widget(key):
        return value
    now = value, tuple(map(shown, values))
    drawn, times = session.get(f"_box_{key}", (None, 0))
    if drawn != now:
        times += 1
        session.change(**{f"_box_{key}": (now, times)})
    widget = f"_{key}_{times}"
    st.selectbox(
        p.texts[control.name], values, values.index(value), key=widget, format_func=shown, on_change=_picked, args=(key, widget),
        width=control.width, help=p.texts.get(f"{control.name}_help"),
    )  # fmt: skip
    return value


def _picked(key: str, widget: str) -> None:
    (_, shown), times = session.get(f"_box_{key}")
    picked = session.get(widget)
    session.change(**{key: picked, f"_box_{key}": ((picked, shown), times)})
