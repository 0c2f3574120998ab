"""A control with a few values, each of which stands in the address as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from viz_core.app import session
from viz_core.app.box import box
from viz_core.app.page import Page
from viz_core.explain import Notice

Value = TypeVar("Value", int, str)
LONGEST = 9
"""Digits of a number in a link."""


def one_of(p: Page, key: str, values: Sequence[Value], default: Value, *, of: object = None, width: int = 150) -> Value:
    """One of these values; another `of` goes back to the default. Of a number that is not among them, the nearest.

    What `<key>_help` of this page's texts says of it, where there is one, stands behind a question mark.
    """
    name = f"{p.name}_{key}"
    if session.arrived() or session.get(f"{name}_of") != of or session.get(name) not in values:
        asked = session.asked(key)
        found = default if asked is None else _nearest(asked, values, default)
        session.change(**{name: found, f"{name}_of": of})
        if asked is not None and asked != str(found):
            told = {"name": p.texts[key], "asked": asked[:40], "shown": _shown(p, found)}
            session.say(Notice("nearest" if _number(asked) is not None and not isinstance(default, str) else "unknown", told))
    picked = box(name, p.texts[key], values, lambda value: _shown(p, value), width=width, help=p.texts.get(f"{key}_help"))
    session.keep(key, str(picked), str(default))
    return picked


def _shown(p: Page, value: int | str) -> str:
    return f"{value:,}" if isinstance(value, int) else str(p.texts.get(value, value))


def _number(asked: str) -> int | None:
    digits = asked.removeprefix("-")
    return int(asked) if digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST else None


def _nearest(asked: str, values: Sequence[Value], default: Value) -> Value:
    number = _number(asked)
    if isinstance(default, str) or number is None:
        return next((value for value in values if asked == str(value)), default)
    return min(values, key=lambda value: abs(int(value) - number))
