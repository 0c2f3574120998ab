"""Controls that are one widget each: buttons, a slider, a field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from viz_core.app import session
from viz_core.app.controls.behind import has_widget
from viz_core.app.controls.control import Control, finite, option_label, whole_between
from viz_core.app.examples import for_language

if TYPE_CHECKING:
    from viz_core.app.page import Page


@dataclass(frozen=True)
class Choice(Control):
    """A row of buttons, one of them selected; the first option is the default.

    Attributes:
        labelled: False where the options say enough: the label is then for screen readers only.
    """

    options: tuple[str, ...]
    labelled: bool = True

    def values(self) -> str:
        return " ".join(self.options)

    def value(self, page: str) -> str:
        """What `draw` will return in this run, for what has to be known before a page's controls are drawn."""
        value = session.asked(self.name) if session.arrived() else session.get(self.key(page))
        return value if value in self.options else self.options[0]

    def draw(self, p: Page, options: Sequence[str] = ()) -> Any:
        """The selected option. options: those available now, where not all of them are."""
        offered = tuple(options or self.options)
        p.own.add(self.name)
        key = self.key(p.name)
        self._sync(p, offered[0], {option: option for option in offered}.get, options=offered)
        if has_widget(key):
            st.segmented_control(
                p.texts[self.name], offered, required=True, key=key, format_func=partial(option_label, p),
                persist_state="session", label_visibility="visible" if self.labelled else "collapsed",
            )  # fmt: skip
        return self._keep(str(session.get(key)), offered[0])


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

    def link(self, value: float) -> str:
        return f"{value:g}"

    def draw(self, p: Page) -> Any:
        key = self.key(p.name)
        self._sync(p, self.default, lambda asked: None if (number := finite(asked)) is None else self._nearest(number))
        session.change(**{key: self._nearest(session.get(key))})
        if has_widget(key):
            widget = st.number_input if self.typed else st.slider
            widget(p.texts[self.name], self.low, self.high, step=self.step, key=key, persist_state="session", width=self.width)
        return self._keep(self._nearest(session.get(key)), self.default)

    def _nearest(self, value: float) -> float:
        """The nearest of the numbers that it can show."""
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
        p.own.add(self.name)
        default = min(max(default, low), high)
        self._sync(p, default, whole_between(low, high), options=range(low, high + 1), of=(of, low, high))
        if low < high and has_widget(key):
            st.slider(p.texts[self.name], low, high, key=key, persist_state="session", width=self.width)
        return self._keep(int(session.get(key)), default)


@dataclass(frozen=True)
class Text(Control):
    """A line to type in; the page's text `<name>_hint` stands in it while it is empty."""

    width: int | Literal["stretch"] = "stretch"

    def values(self) -> str:
        return "text"

    def draw(self, p: Page, default: str) -> str:
        self._sync(p, default, str)
        key, hint = self.key(p.name), for_language(p.texts[f"{self.name}_hint"], p.view.checkpoint.source_language)
        typed = st.text_input(p.texts[self.name], key=key, placeholder=hint, persist_state="session", width=self.width)
        return self._keep(typed or "", default)


@dataclass(frozen=True)
class Suggestion(Control):
    """One of a list, or anything that is typed into it."""

    width: int = 220

    def values(self) -> str:
        return "text"

    def draw(self, p: Page, labels: Mapping[str, str]) -> str | None:
        """What was picked or typed; None if nothing was: the first then stands there. labels: value → its text in the list."""
        key = self.key(p.name)
        if session.arrived():
            session.change(**{key: (session.asked(self.name) or "").strip() or None})
        chosen = st.selectbox(
            p.texts[self.name], list(labels), index=None, key=key, format_func=lambda each: labels.get(each, each),
            placeholder=next(iter(labels.values()), ""), accept_new_options=True, persist_state="session", width=self.width,
        )  # fmt: skip
        picked = (chosen or "").strip()
        session.keep(self.name, picked)
        return picked or None
