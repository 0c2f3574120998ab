"""The value of each kind of control: from the link, the session or the browser into the address; and what the browser shows."""

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
from viz_core.params import Choice, Item, Items, Number, OneOf, Param, Slider, Suggestion, Text, between, finite
from viz_core.texts import texts

if TYPE_CHECKING:
    from viz_core.app.page import Page

_shown: ContextVar[bool] = ContextVar("shown", default=True)


@contextmanager
def in_figure() -> Iterator[None]:
    """Around controls that a click into the figure sets: nothing else is shown of them."""
    token = _shown.set(False)
    try:
        yield
    finally:
        _shown.reset(token)


@contextmanager
def more(p: Page, *, width: int = 420) -> Iterator[None]:
    """Around controls that are seldom used: behind “More”, at the end of the row."""
    button = st.popover(texts("app.frame")["more"], icon=":material/tune:", key=f"_more_of_{p.name}")
    with button, st.container(horizontal=True, width=width, key="_controls_more"):
        yield


def picked(control: Choice, page: str) -> Any:
    """What it will be in this run, for what has to be known before a page's controls are drawn."""
    value = session.asked(control.name) if session.arrived() else session.get(control.key(page))
    return value if value in control.options else control.options[0]


@singledispatch
def pick(control: Param[Any], p: Page) -> Any:
    """The value of a control; what it depends on is given beside the page."""
    raise NotImplementedError(type(control))


@pick.register(Choice)
def _choice(control: Choice, p: Page, options: Sequence[str] = ()) -> Any:
    """options: those available now, where not all of them are."""
    offered = tuple(options or control.options)
    p.own.add(control.name)
    read = partial(control.read, options=offered)
    _sync(control, p, offered[0], read, options=offered)
    labelled = {value: _label(p, value) for value in offered}
    _show(control, p, "buttons", read, labelled, width="content", labelled=control.labelled)
    return _keep(control, p, offered[0])


@pick.register(OneOf)
def _one_of(control: OneOf[Any], p: Page, options: Sequence[Any] = (), default: Any = None, *, of: object = None) -> Any:
    """Its help, where there is one, is the page's text `<name>_help`. Another `of` resets it to the default."""
    offered = options or control.options
    usual = next(each for each in (default, control.default, offered[0]) if each is not None)
    read = partial(control.read, options=offered)
    _sync(control, p, usual, read, options=offered, of=of)
    _show(control, p, "list", read, {control.write(value): _label(p, value) for value in offered}, width=control.width)
    return _keep(control, p, usual)


@pick.register(Item)
def _item(control: Item, p: Page, labels: Sequence[str], default: int = 0) -> int:
    """Index of the picked item; equal labels stay apart. Another list resets it to the default."""
    p.clickable[control.name] = 0
    last = len(labels) - 1
    default = min(default, last)
    read = partial(control.read, last=last)
    _sync(control, p, default, read, options=range(last + 1), of=tuple(labels))
    numbered = {number: f"{number}  {label}" for number, label in zip(map(control.write, range(last + 1)), labels, strict=True)}
    _show(control, p, "list", read, numbered, width=control.width)
    return int(_keep(control, p, default))


@pick.register(Items)
def _items(control: Items, p: Page, labels: Sequence[str], default: Sequence[int]) -> list[int]:
    """Indices of the picked items, in the order of the list; the default where none is."""

    def read(text: str) -> list[int] | None:
        places = dict.fromkeys(control.read(text))
        return [place for place in places if 0 <= place < len(labels)][: control.most] or None

    _sync(control, p, sorted(default), read)
    numbered = {control.write([at]): label for at, label in enumerate(labels)}
    _show(control, p, "several", read, numbered, most=control.most)
    return sorted(_keep(control, p, default))


@pick.register(Number)
def _number(control: Number, p: Page) -> Any:
    _sync(control, p, control.default, control.read)
    session.change(**{control.key(p.name): control.nearest(session.get(control.key(p.name)))})
    limits: dict[str, Any] = {"low": control.low, "high": control.high, "step": control.step}
    _show(control, p, "number" if control.typed else "slider", control.read, width=control.width, **limits)
    return _keep(control, p, control.default)


@pick.register(Slider)
def _slider(control: Slider, p: Page, low: int, high: int, default: int, of: object = None) -> int:
    """Another `of` goes back to the default. No slider where there is nothing to choose."""
    p.clickable[control.name] = low
    p.own.add(control.name)
    default = min(max(default, low), high)
    read = partial(between, low, high)
    _sync(control, p, default, read, options=range(low, high + 1), of=(of, low, high))
    if low < high:
        _show(control, p, "slider", read, width=control.width, low=low, high=high, step=1)
    return int(_keep(control, p, default))


@pick.register(Text)
def _text(control: Text, p: Page, default: str) -> str:
    """The page's text `<name>_hint` stands in it while it is empty."""
    _sync(control, p, default, control.read)
    hint = for_language(p.texts[f"{control.name}_hint"], p.view.checkpoint.source_language)
    _show(control, p, "line", control.read, width=control.width, hint=hint)
    return str(_keep(control, p, default))


@pick.register(Suggestion)
def _suggestion(control: Suggestion, p: Page, labels: Mapping[str, str]) -> str | None:
    """What was picked or typed; None if nothing was: the first then stands there. labels: value → its text in the list."""
    _sync(control, p, "", str.strip)
    first, *_ = labels.values()
    _show(
        control, p, "line", str.strip, {value: label for value, label in labels.items() if value}, width=control.width, hint=first
    )
    return _keep(control, p, "") or None


def _sync(control: Param[Any], p: Page, default: Any, read: Callable[[str], Any], options: Any = None, of: object = None) -> None:
    """Takes the link's value, or the default where its own is no option, or was for another `of`.

    Args:
        read: a value of the link → the nearest that it can have, which the page then says; None where it means nothing.
    """
    key, asked = control.key(p.name), session.asked(control.name)
    own = session.get(key)
    # "Try this" may set a control before it was ever drawn: nothing then says yet what its value is of. What a click has just
    # set is of what is shown now, which may be a later step than the last that was drawn here.
    others = session.get(f"{key}_of", of) != of and key not in session.touched()
    if session.arrived() or others or own is None or (options and own not in options):
        found = None if asked is None else read(asked)
        own = default if found is None else found
        written = control.write(own)
        meant = control.write(control.read(asked)) if asked and isinstance(control, Items) else asked and asked.strip()
        if meant is not None and meant != written and (finite(meant) is None or finite(meant) != finite(written)):
            shown = _label(p, own) if written == str(own) else written
            session.say_instead(
                p.texts[control.name], asked or "", shown, nearest=found is not None and not isinstance(control, Items)
            )
        session.change(**{key: own})
    session.change(**{f"{key}_of": of})


def _show(
    control: Param[Any], p: Page, kind: Kind, read: Callable[[str], Any], options: Mapping[str, str] | None = None, **how: Any
) -> None:
    """options: each as it stands in an address → its words."""
    if not _shown.get():
        return
    key = control.key(p.name)

    def hear(text: str) -> None:
        if (value := read(text)) is not None:
            session.change(**{key: value})

    about = p.texts.get(f"{control.name}_help", "")
    draw_control(kind, key, control.write(session.get(key)), p.texts[control.name], hear, options, help=about, **how)


def _keep(control: Param[Any], p: Page, default: Any) -> Any:
    """Into the address; returns the value."""
    value = session.get(control.key(p.name))
    session.keep(control.name, control.write(value), control.write(default))
    return value


def _label(p: Page, value: object) -> str:
    """An option as the reader sees it."""
    return f"{value:,}" if isinstance(value, int) else str(p.texts.get(str(value), value))
