"""Draws each kind of control, and takes its value from the link, the session or the widget into the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any

import streamlit as st

from viz_core.app import session
from viz_core.app.controls.behind import has_widget
from viz_core.app.examples import for_language
from viz_core.params import Choice, Item, Items, Number, OneOf, Param, Slider, Suggestion, Text, between, finite

if TYPE_CHECKING:
    from viz_core.app.page import Page


def picked(control: Choice, page: str) -> Any:
    """What it will be in this run, for what has to be known before a page's controls are drawn."""
    value = session.asked(control.name) if session.arrived() else session.get(control.key(page))
    return value if value in control.options else control.options[0]


@singledispatch
def pick(control: Param[Any], p: Page) -> Any:
    """The value of a control, which is drawn where it has a widget; what it depends on is given beside the page."""
    raise NotImplementedError(type(control))


@pick.register(Choice)
def _choice(control: Choice, p: Page, options: Sequence[str] = ()) -> Any:
    """options: those available now, where not all of them are."""
    offered = tuple(options or control.options)
    p.own.add(control.name)
    key = _sync(control, p, offered[0], partial(control.read, options=offered), options=offered)
    if has_widget(key):
        st.segmented_control(
            p.texts[control.name], offered, required=True, key=key, format_func=partial(_label, p),
            persist_state="session", label_visibility="visible" if control.labelled else "collapsed",
        )  # fmt: skip
    return _keep(control, str(session.get(key)), offered[0])


@pick.register(OneOf)
def _one_of(control: OneOf[Any], p: Page, options: Sequence[Any] = (), default: Any = None, *, of: object = None) -> Any:
    """Its help, where there is one, is the page's text `<name>_help`. Another `of` resets it to the default."""
    offered = options or control.options
    usual = next(each for each in (default, control.default, offered[0]) if each is not None)
    _sync(control, p, usual, partial(control.read, options=offered), options=offered, of=of)
    return _keep(control, _box(control, p, offered, partial(_label, p)), usual)


@pick.register(Item)
def _item(control: Item, p: Page, labels: Sequence[str], default: int = 0) -> int:
    """Index of the picked item; equal labels stay apart. Another list resets it to the default."""
    p.clickable[control.name] = 0
    offered = range(len(labels))
    default = min(default, offered[-1])
    _sync(control, p, default, partial(control.read, last=offered[-1]), options=offered, of=tuple(labels))
    return _keep(control, _box(control, p, offered, lambda i: f"{control.write(i)}  {labels[i]}"), default)


@pick.register(Items)
def _items(control: Items, p: Page, labels: Sequence[str], default: Sequence[int]) -> list[int]:
    """Indices of the picked items, in the order of the list; the default where none is."""
    key = control.key(p.name)
    if session.arrived() or session.get(key) is None:
        asked = session.asked(control.name)
        places = dict.fromkeys(control.read(asked or ""))
        own = [place for place in places if 0 <= place < len(labels)][: control.most] or list(default)
        if asked is not None and {*own} != {*places}:
            session.say_instead(p.texts[control.name], asked, control.write(own))
        session.change(**{key: own})
    st.multiselect(
        p.texts[control.name], range(len(labels)), key=key, format_func=lambda i: labels[i], max_selections=control.most,
        persist_state="session",
    )  # fmt: skip
    return sorted(_keep(control, session.get(key) or list(default), default))


@pick.register(Number)
def _number(control: Number, p: Page) -> Any:
    key = _sync(control, p, control.default, control.read)
    session.change(**{key: control.nearest(session.get(key))})
    if has_widget(key):
        widget = st.number_input if control.typed else st.slider
        name, step = p.texts[control.name], control.step
        widget(name, control.low, control.high, step=step, key=key, persist_state="session", width=control.width)
    return _keep(control, control.nearest(session.get(key)), control.default)


@pick.register(Slider)
def _slider(control: Slider, p: Page, low: int, high: int, default: int, of: object = None) -> int:
    """Another `of` goes back to the default. No slider where there is nothing to choose."""
    p.clickable[control.name] = low
    p.own.add(control.name)
    default = min(max(default, low), high)
    key = _sync(control, p, default, partial(between, low, high), options=range(low, high + 1), of=(of, low, high))
    if low < high and has_widget(key):
        st.slider(p.texts[control.name], low, high, key=key, persist_state="session", width=control.width)
    return _keep(control, int(session.get(key)), default)


@pick.register(Text)
def _text(control: Text, p: Page, default: str) -> str:
    """The page's text `<name>_hint` stands in it while it is empty."""
    key = _sync(control, p, default, control.read)
    hint = for_language(p.texts[f"{control.name}_hint"], p.view.checkpoint.source_language)
    st.text_input(p.texts[control.name], key=key, placeholder=hint, persist_state="session", width=control.width)
    return _keep(control, session.get(key) or "", default)


@pick.register(Suggestion)
def _suggestion(control: Suggestion, p: Page, labels: Mapping[str, str]) -> str | None:
    """What was picked or typed; None if nothing was: the first then stands there. labels: value → its text in the list."""
    key = control.key(p.name)
    if session.arrived():
        session.change(**{key: (session.asked(control.name) or "").strip() or None})
    st.selectbox(
        p.texts[control.name], list(labels), index=None, key=key, format_func=lambda each: labels.get(each, each),
        placeholder=next(iter(labels.values()), ""), accept_new_options=True, persist_state="session", width=control.width,
    )  # fmt: skip
    return _keep(control, (session.get(key) or "").strip(), "") or None


def _sync(control: Param[Any], p: Page, default: Any, read: Callable[[str], Any], options: Any = None, of: object = None) -> str:
    """Before it is drawn: takes the link's value, or the default where its own is no option, or was for another `of`.

    Args:
        read: a value of the link → the nearest that it can have, which the page then says; None where it means nothing.

    Returns:
        The key of its value.
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
        if asked is not None and asked != written and (finite(asked) is None or finite(asked) != finite(written)):
            shown = _label(p, own) if written == str(own) else written
            session.say_instead(p.texts[control.name], asked, shown, nearest=found is not None)
        session.change(**{key: own})
    session.change(**{f"{key}_of": of})
    return key


def _keep(control: Param[Any], value: Any, default: Any) -> Any:
    """Into the address; returns the value."""
    session.keep(control.name, control.write(value), control.write(default))
    return value


def _label(p: Page, value: object) -> str:
    """An option as the reader sees it."""
    return f"{value:,}" if isinstance(value, int) else str(p.texts.get(str(value), value))


def _box(control: Item | OneOf[Any], p: Page, values: Sequence[Any], shown: Callable[[Any], str]) -> Any:
    """A select box whose value is kept in the session, whether it is drawn or not.

    A select box in a closed popover does not learn that its value was set, and returns its old one in the next run. So a value that
    was set, and not picked in it, gets a new box: one under another key, which the browser does not know yet.
    """
    key = control.key(p.name)
    value = session.get(key)
    if not has_widget(key):
        return value
    now = value, tuple(map(shown, values))
    drawn, times = session.get(f"_box_{key}", (None, 0))
    if drawn != now:
        times += 1
        session.change(**{f"_box_{key}": (now, times)})
    widget = f"_{key}_{times}"
    st.selectbox(
        p.texts[control.name], values, values.index(value), key=widget, format_func=shown, on_change=_take, args=(key, widget),
        width=control.width, help=p.texts.get(f"{control.name}_help"),
    )  # fmt: skip
    return value


def _take(key: str, widget: str) -> None:
    (_, shown), times = session.get(f"_box_{key}")
    picked = session.get(widget)
    session.change(**{key: picked, f"_box_{key}": ((picked, shown), times)})
