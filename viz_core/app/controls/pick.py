"""Reads each kind of control from the address, sends it to the browser, and puts its value back into the address."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any

import streamlit as st

from viz_core.app import session
from viz_core.app.controls.shown import Kind, draw_control
from viz_core.app.examples import for_language
from viz_core.params import Choice, Item, Items, Number, OneOf, Param, Slider, Stops, Suggestion, Text, between, finite
from viz_core.texts import texts

if TYPE_CHECKING:
    from viz_core.app.page import Page

_shown: ContextVar[bool] = ContextVar("shown", default=True)


@contextmanager
def in_figure() -> Iterator[None]:
    """Around controls that only a click in the figure sets: nothing else is shown of them."""
    token = _shown.set(False)
    try:
        yield
    finally:
        _shown.reset(token)


@contextmanager
def more(p: Page, *, width: int = 420) -> Iterator[None]:
    """Around seldom used controls: they go behind “More”, at the end of the row."""
    button = st.popover(texts("app.frame")["more"], icon=":material/tune:", key=f"_more_of_{p.name}")
    with button, st.container(horizontal=True, width=width, key="_controls_more"):
        yield


def picked(control: Choice) -> Any:
    """The value of a control in this run, before the page's controls are drawn."""
    value = session.parameter(control.name)
    return value if value in control.options else control.options[0]


@singledispatch
def pick(control: Param[Any], p: Page) -> Any:
    """Draws a control and returns its value; further arguments are those that its kind needs."""
    raise NotImplementedError(type(control))


@pick.register(Choice)
def _choice(control: Choice, p: Page, options: Sequence[str] = ()) -> Any:
    """options: those available now, if not all are."""
    offered = tuple(options or control.options)
    p.own.add(control.name)
    value = _value(control, p, offered[0], partial(control.read, options=offered))
    labelled = {value: _label(p, value) for value in offered}
    _show(control, p, "buttons", value, labelled, width="content", labelled=control.labelled)
    return value


@pick.register(OneOf)
def _one_of(
    control: OneOf[Any], p: Page, options: Sequence[Any] = (), default: Any = None, *, of: object = None,
    resets: Sequence[Param[Any]] = (),
) -> Any:  # fmt: skip
    """The page's text `<name>_help`, if any, is its help. Another `of` resets it to the default. resets: the controls whose values
    go with the picked one.
    """
    offered = options or control.options
    usual = next(value for value in (default, control.default, offered[0]) if value is not None)
    value = _value(control, p, usual, partial(control.read, options=offered), of)
    labels, how = {control.write(value): _label(p, value) for value in offered}, dict[str, Any](width=control.width)
    if resets:
        how["resets"] = [other.name for other in resets]
    if isinstance(control, Stops):
        _show(control, p, "slider", value, labels, labelled=control.labelled, **how)
    else:
        _show(control, p, "list", value, labels, **how)
    return value


@pick.register(Item)
def _item(control: Item, p: Page, labels: Sequence[str], default: int = 0) -> int:
    """Index of the picked item; equal labels are kept apart. Another list resets it to the default."""
    last = len(labels) - 1
    value = _value(control, p, min(default, last), partial(control.read, last=last), tuple(labels))
    numbered = {number: f"{number}  {label}" for number, label in zip(map(control.write, range(last + 1)), labels, strict=True)}
    _show(control, p, "list", value, numbered, width=control.width)
    return int(value)


@pick.register(Items)
def _items(control: Items, p: Page, labels: Sequence[str], default: Sequence[int]) -> list[int]:
    """Indices of the picked items, in the order of the list; the default if none is picked."""

    def read(text: str) -> list[int] | None:
        places = dict.fromkeys(control.read(text))
        return sorted([place for place in places if 0 <= place < len(labels)][: control.most]) or None

    value = _value(control, p, sorted(default), read)
    numbered = {control.write([index]): label for index, label in enumerate(labels)}
    _show(control, p, "several", value, numbered, most=control.most)
    return list(value)


@pick.register(Number)
def _number(control: Number, p: Page) -> Any:
    value = _value(control, p, control.default, control.read)
    limits: dict[str, Any] = {"low": control.low, "high": control.high, "step": control.step}
    _show(control, p, "number" if control.typed else "slider", value, width=control.width, **limits)
    return value


@pick.register(Slider)
def _slider(control: Slider, p: Page, low: int, high: int, default: int, of: object = None) -> int:
    """Another `of` resets it to the default. No slider is drawn if there is nothing to choose."""
    p.own.add(control.name)
    value = _value(control, p, min(max(default, low), high), partial(between, low, high), (of, low, high))
    if low < high:
        _show(control, p, "slider", value, width=control.width, low=low, high=high, step=1)
    return int(value)


@pick.register(Text)
def _text(control: Text, p: Page, default: str) -> str:
    """The page's text `<name>_hint` is its placeholder."""
    value = _value(control, p, default, control.read)
    hint = for_language(p.texts[f"{control.name}_hint"], p.view.checkpoint.source_language)
    _show(control, p, "line", value, width=control.width, hint=hint)
    return str(value)


@pick.register(Suggestion)
def _suggestion(control: Suggestion, p: Page, labels: Mapping[str, str]) -> str | None:
    """The picked or typed text; None if empty: the first suggestion is then displayed. labels: value → its text in the list."""
    value = _value(control, p, "", str.strip)
    first, *_ = labels.values()
    _show(control, p, "line", value, {option: label for option, label in labels.items() if option}, width=control.width, hint=first)
    return value or None


def _value(control: Param[Any], p: Page, default: Any, read: Callable[[str], Any], of: object = None) -> Any:
    """The address's value, if it belongs to the same `of`, else the default. It goes back into the address.

    Args:
        read: a text of the address → the nearest valid value, about which the page gives a notice; None for a meaningless text.
    """
    text, belongs = session.parameter(control.name), session.belongs(control.name, of)
    valid = None if text is None or belongs is False else read(text)
    value = default if valid is None else valid
    written = control.write(value)
    if text is not None and belongs is None:  # from a link; a value shown before needs no notice
        meant = control.write(control.read(text)) if text and isinstance(control, Items) else text.strip()
        if meant != written and (finite(meant) is None or finite(meant) != finite(written)):
            label = _label(p, value) if written == str(value) else written
            session.notify_replaced(
                p.texts[control.name], text, label, nearest=valid is not None and not isinstance(control, Items)
            )
    session.keep(control.name, written, control.write(default))
    return value


def _show(control: Param[Any], p: Page, kind: Kind, value: Any, options: Mapping[str, str] | None = None, **how: Any) -> None:
    """options: option in the form of an address → its words."""
    if _shown.get():
        about = p.texts.get(f"{control.name}_help", "")
        draw_control(kind, control.name, control.write(value), p.texts[control.name], options, help=about, **how)


def _label(p: Page, value: object) -> str:
    """The words of an option."""
    return str(p.texts.get(str(value), f"{value:,}" if isinstance(value, int) else value))
