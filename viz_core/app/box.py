"""A list whose value stands in the page's state, so that it can be set while the browser does not show the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from viz_core.app import session

Value = TypeVar("Value", int, str)


def box(
    name: str, label: str, values: Sequence[Value], shown: Callable[[Value], str], *, width: int, help: str | None = None
) -> Value:
    """The value that `name` has in the state, one of these; it stays there whether the list is drawn or not.

    A list in a closed popover does not hear that its value was set, and hands back its old one in the next run. So what was
    set, and not picked in it, gets a new list: one under another key, of which the browser knows nothing yet.
    """
    value: Value = session.get(name)
    now = value, tuple(map(shown, values))
    drawn, times = session.get(f"_box_{name}", (None, 0))
    if drawn != now:
        times += 1
        session.change(**{f"_box_{name}": (now, times)})
    key = f"_{name}_{times}"
    st.selectbox(
        label, values, values.index(value), key=key, format_func=shown, on_change=_picked, args=(name, key), width=width, help=help,
    )  # fmt: skip
    return value


def _picked(name: str, key: str) -> None:
    (_, shown), times = session.get(f"_box_{name}")
    picked = session.get(key)
    session.change(**{name: picked, f"_box_{name}": ((picked, shown), times)})
