"""The controls of a page, each declared once in its `controls.py`: its name, which stands in links and talks, and its values.

    SIZE = Number("size", 1, 10, 4, width=130)   # pages/decoding/controls.py
    size = SIZE.draw(p)                          # pages/decoding/beam.py

What a declaration can't know, because it depends on the sentence, is given to `draw`. The words are those of the page's texts: the
label under the control's name, an option's under the option's. A value of a link that a control can't have becomes the nearest, and
the page says so.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import streamlit as st

from viz_core.app import session
from viz_core.app.view_options import from_link
from viz_core.explain import Notice
from viz_core.texts import texts

if TYPE_CHECKING:
    from viz_core.app.page import Page

Value = TypeVar("Value", int, str)
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
        """What it may be, as the README's list says it."""
        return ""


def declared(page: str) -> dict[str, Control]:
    """The controls of a page by name, as its `controls.py` declares them."""
    try:
        module = importlib.import_module(f"pages.{page}.controls")
    except ModuleNotFoundError as error:
        if error.name != f"pages.{page}.controls":
            raise
        return {}
    return {each.name: each for each in vars(module).values() if isinstance(each, Control)}


def sync(page: str) -> None:
    """At the start of a run, before anything is drawn: a page's `controls.py` may move one control along with another."""
    if declared(page):
        getattr(importlib.import_module(f"pages.{page}.controls"), "sync", lambda: None)()


@dataclass(frozen=True)
class Choice(Control):
    """A row of buttons, one of them on; the first option is the default.

    Attributes:
        labelled: False where the options say enough: the label is then only heard.
    """

    options: tuple[str, ...]
    labelled: bool = True

    def values(self) -> str:
        return " ".join(self.options)

    def value(self, page: str, options: Sequence[str] = ()) -> str:
        """What `draw` will give in this run: for what has to be known before a page's controls are drawn."""
        offered = options or self.options
        value = session.asked(self.name) if session.arrived() else session.get(self.key(page))
        return next((option for option in offered if option == value), offered[0])

    def draw(self, p: Page, options: Sequence[str] = ()) -> Any:
        """The option that is on. options: those that there are now, where not all of them are."""
        offered, asked, key = tuple(options or self.options), session.asked(self.name), self.key(p.name)
        p.own.add(self.name)
        if session.arrived() or session.get(key) not in offered:
            session.change(**{key: self.value(p.name, offered)})
        if asked not in (None, *offered):
            _say("unknown", p.texts[self.name], asked or "", p.texts[offered[0]])
        st.segmented_control(
            p.texts[self.name], offered, required=True, key=key, format_func=lambda option: str(p.texts[option]),
            persist_state="session", label_visibility="visible" if self.labelled else "collapsed",
        )  # fmt: skip
        session.keep(self.name, str(session.get(key)), offered[0])
        return session.get(key)


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

    def draw(self, p: Page, labels: Sequence[str], default: int = 0) -> int:
        """Which is picked; equal labels stay apart. Another list goes back to the default."""
        p.clickable[self.name] = 0
        _adopt(p, self.name, tuple(labels), 0, len(labels) - 1, default, self.first)
        label = p.texts[self.name]
        picked = _box(self.key(p.name), label, range(len(labels)), lambda i: f"{i + self.first}  {labels[i]}", width=self.width)
        session.keep(self.name, str(picked + self.first), str(default + self.first))
        return picked


@dataclass(frozen=True)
class Items(Control):
    """A few of a list, counted from 0 in code, from 1 in a link, where they are joined by `-`."""

    most: int

    def values(self) -> str:
        return f"up to {self.most} numbers, such as 1-3"

    def draw(self, p: Page, labels: Sequence[str], default: Sequence[int]) -> list[int]:
        """Which are picked, in the order of the list; the default where none is."""
        key = self.key(p.name)
        if session.arrived() or session.get(key) is None:
            numbers = [int(part) - 1 for part in (session.asked(self.name) or "").split("-") if part.isdecimal() and len(part) < 6]
            linked = [i for i in dict.fromkeys(numbers) if 0 <= i < len(labels)][: self.most]
            session.change(**{key: linked or list(default)})
        chosen = st.multiselect(
            p.texts[self.name], range(len(labels)), key=key, format_func=lambda i: labels[i], max_selections=self.most,
            persist_state="session",
        )  # fmt: skip
        picked = sorted(chosen) or list(default)
        session.keep(self.name, "-".join(str(i + 1) for i in picked), "-".join(str(i + 1) for i in sorted(default)))
        return picked


@dataclass(frozen=True)
class OneOf(Control, Generic[Value]):
    """A list of a few values, each of which stands in a link as it is.

    Its help, where there is one, is the page's text `<name>_help`. Of a number that is not among them, the nearest.

    Attributes:
        options: empty where they depend on something else and are given to `draw`.
    """

    options: tuple[Value, ...] = ()
    default: Value | None = None
    width: int = 150

    def values(self) -> str:
        return " ".join(map(str, self.options))

    def draw(self, p: Page, options: Sequence[Value] = (), default: Value | None = None, *, of: object = None) -> Value:
        """The value that is picked; another `of` goes back to the default."""
        offered: Sequence[Value] = options or self.options
        usual: Value = next(each for each in (default, self.default, offered[0]) if each is not None)
        key = self.key(p.name)
        if session.arrived() or session.get(f"{key}_of") != of or session.get(key) not in offered:
            asked = session.asked(self.name)
            found = usual if asked is None else _nearest_option(asked, offered, usual)
            session.change(**{key: found, f"{key}_of": of})
            if asked is not None and asked != str(found):
                known = _whole(asked) is not None and not isinstance(usual, str)
                _say("nearest" if known else "unknown", p.texts[self.name], asked, _shown(p, found))
        help_text = p.texts.get(f"{self.name}_help")
        picked = _box(key, p.texts[self.name], offered, lambda value: _shown(p, value), width=self.width, help=help_text)
        session.keep(self.name, str(picked), str(usual))
        return picked


@dataclass(frozen=True)
class Number(Control):
    """A number on a slider, or typed; whole where `step` is."""

    low: float
    high: float
    default: float
    step: float = 1
    typed: bool = False
    width: int = 170

    def values(self) -> str:
        return f"{self.low:g} to {self.high:g}"

    def draw(self, p: Page) -> Any:
        """The number that is set."""
        key, asked = self.key(p.name), session.asked(self.name)
        value = session.get(key)
        if session.arrived() or value is None:
            wanted = self.default if asked is None else _finite(asked)
            value = self._nearest(self.default if wanted is None else wanted)
            if asked is not None and wanted != value:
                _say("unknown" if wanted is None else "nearest", p.texts[self.name], asked, f"{value:g}")
        session.change(**{key: self._nearest(value)})
        widget = st.number_input if self.typed else st.slider
        widget(p.texts[self.name], self.low, self.high, step=self.step, key=key, persist_state="session", width=self.width)
        found = self._nearest(session.get(key, self.default))
        session.keep(self.name, f"{found:g}" if isinstance(self.step, float) else str(found), f"{self.default:g}")
        return found

    def _nearest(self, value: float) -> float:
        """Of the numbers that it can show."""
        inside = min(max(value, self.low), self.high)
        return round(round(inside / self.step) * self.step, 6) if isinstance(self.step, float) else round(inside)


@dataclass(frozen=True)
class Slider(Control):
    """A whole number on a slider whose range may depend on the sentence."""

    width: int = 320

    def draw(self, p: Page, low: int, high: int, default: int, of: object = None) -> int:
        """The number; another `of` goes back to the default. No slider where there is nothing to choose."""
        key = self.key(p.name)
        p.clickable[self.name] = low
        _adopt(p, self.name, (of, low, high), low, high, default)
        if low < high:
            st.slider(p.texts[self.name], low, high, key=key, persist_state="session", width=self.width)
        session.keep(self.name, str(session.get(key)), str(default))
        return int(session.get(key))


@dataclass(frozen=True)
class Text(Control):
    """A line to type in; the page's text `<name>_hint` stands in it while it is empty."""

    width: int | Literal["stretch"] = "stretch"

    def values(self) -> str:
        return "text"

    def draw(self, p: Page, default: str) -> str:
        """What is typed."""
        key, asked = self.key(p.name), session.asked(self.name)
        if session.arrived() or session.get(key) is None:
            session.change(**{key: default if asked is None else asked})
        hint = p.texts[f"{self.name}_hint"]
        st.text_input(p.texts[self.name], key=key, placeholder=hint, persist_state="session", width=self.width)
        typed = str(session.get(key) or "")
        session.keep(self.name, typed, default)
        return typed


@dataclass(frozen=True)
class Suggestion(Control):
    """One of a list, or anything that is typed into it."""

    width: int = 220

    def values(self) -> str:
        return "text"

    def draw(self, p: Page, labels: Mapping[str, str]) -> str | None:
        """What was picked; None while nothing was: its first then stands there. labels: value → how the list shows it."""
        key = self.key(p.name)
        if session.arrived():
            session.change(**{key: (session.asked(self.name) or "").strip() or None})
        st.selectbox(
            p.texts[self.name], list(labels), index=None, key=key, format_func=lambda each: labels.get(each, each),
            placeholder=next(iter(labels.values()), ""), accept_new_options=True, persist_state="session", width=self.width,
        )  # fmt: skip
        picked: str | None = (session.get(key) or "").strip() or None
        session.keep(self.name, picked or "")
        return picked


@dataclass(frozen=True)
class CellControl(Control):
    """A cell of a figure, as two lists for the keyboard; a click into the figure moves it as well. `2-3` in a link."""

    def values(self) -> str:
        return "row-column, such as 2-3"

    def draw(
        self,
        p: Page,
        queries: Sequence[str],
        keys: Sequence[str],
        default: tuple[int, int],
        *,
        names: Sequence[str] = (),
        of: object = None,
    ) -> tuple[int, int]:
        """(row, column), counted from 0. Another sentence, or another `of` (None: another step), goes back to the default.

        Args:
            names: keys of the page's texts over the two lists, where they are not query and key.
        """
        at = (p.view.explanation.source.text, p.view.explanation.text, p.view.step if of is None else of, len(queries), len(keys))
        row, column = f"{p.name}_row", f"{p.name}_column"
        p.own.add(self.name)
        if session.arrived() or session.get(f"{p.name}_at") != at:
            session.change(**{f"{p.name}_at": at, row: default[0], column: default[1]})
            cell = from_link({"cell": session.asked(self.name) or ""})[0].cell
            if cell is not None and cell[0] < len(queries) and cell[1] < len(keys):
                session.change(**{row: cell[0], column: cell[1]})
        words = texts("app.frame")
        above = [p.texts[name] for name in names] or [words["query"], words["key"]]
        for key, labels, word in ((row, queries, above[0]), (column, keys, above[1])):
            shown = [f"{i}  {label}" for i, label in enumerate(labels, 1)]
            st.selectbox(word, range(len(labels)), key=key, format_func=shown.__getitem__, persist_state="session", width=170)
        picked = int(session.get(row)), int(session.get(column))
        session.keep(self.name, f"{picked[0] + 1}-{picked[1] + 1}", f"{default[0] + 1}-{default[1] + 1}")
        return picked


CELL = CellControl("cell")


def _adopt(p: Page, name: str, of: object, low: int, high: int, default: int, first: int = 0) -> None:
    """Before a control is drawn: the link's number, or the default where the control is of something else than before."""
    key, asked = f"{p.name}_{name}", session.asked(name)
    if not session.arrived() and session.get(f"{key}_of", of) == of and session.get(key) is not None:
        session.change(**{f"{key}_of": of})  # none yet where "try this" set it before it was ever drawn
        return
    value = int(asked) - first if asked is not None and asked.isdecimal() and len(asked) < 6 else default
    session.change(**{f"{key}_of": of, key: min(max(value, low), high)})
    shown = session.get(key) + first
    if asked is not None and asked != str(shown):
        _say("nearest" if asked.lstrip("-").isdecimal() else "unknown", p.texts[name], asked, shown)


def _box(
    key: str, label: str, values: Sequence[Value], shown: Callable[[Value], str], *, width: int, help: str | None = None
) -> Value:
    """A list whose value stands in the session under `key`, whether it is drawn or not.

    A list in a closed popover does not learn that its value was set, and hands back its old one in the next run. So what was
    set, and not picked in it, gets a new list: one under another key, of which the browser knows nothing yet.
    """
    value: Value = session.get(key)
    now = value, tuple(map(shown, values))
    drawn, times = session.get(f"_box_{key}", (None, 0))
    if drawn != now:
        times += 1
        session.change(**{f"_box_{key}": (now, times)})
    widget = f"_{key}_{times}"
    st.selectbox(
        label, values, values.index(value), key=widget, format_func=shown, on_change=_picked, args=(key, widget), width=width,
        help=help,
    )  # fmt: skip
    return value


def _picked(key: str, widget: str) -> None:
    (_, shown), times = session.get(f"_box_{key}")
    picked = session.get(widget)
    session.change(**{key: picked, f"_box_{key}": ((picked, shown), times)})


def _say(code: str, name: str, asked: str, shown: object) -> None:
    session.say(Notice(code, {"name": name, "asked": asked[:40], "shown": shown}))


def _shown(p: Page, value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else str(p.texts.get(value, value))


def _whole(asked: str) -> int | None:
    digits = asked.removeprefix("-")
    return int(asked) if digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS else None


def _finite(asked: str) -> float | None:
    try:
        value = float(asked[:40])
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _nearest_option(asked: str, values: Iterable[Value], default: Value) -> Value:
    number = _whole(asked)
    if isinstance(default, str) or number is None:
        return next((value for value in values if asked == str(value)), default)
    return min(values, key=lambda value: abs(int(value) - number))
