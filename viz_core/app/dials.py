"""A number of a page's own: on a slider, or typed; whole, or with digits after the point."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import streamlit as st

from viz_core.app import session
from viz_core.app.page import Page
from viz_core.explain import Notice

Number = TypeVar("Number", int, float)


def dial(
    p: Page, key: str, low: Number, high: Number, default: Number, *, step: Number, typed: bool = False, width: int = 170
) -> Number:
    """The number that is set; a link's number that it cannot be becomes the nearest, and is told."""
    name, asked = f"{p.name}_{key}", session.asked(key)
    value = session.get(name)
    if session.arrived() or value is None:
        wanted = default if asked is None else _read(asked)
        value = _nearest(default if wanted is None else wanted, low, high, step)
        if asked is not None and wanted != value:
            told = {"name": p.texts[key], "asked": asked[:40], "shown": f"{value:g}"}
            session.say(Notice("unknown" if wanted is None else "nearest", told))
    session.change(**{name: _nearest(value, low, high, step)})
    if typed:
        st.number_input(p.texts[key], low, high, step=step, key=name, persist_state="session", width=width)
    else:
        st.slider(p.texts[key], low, high, step=step, key=name, persist_state="session", width=width)
    found: Any = _nearest(session.get(name, default), low, high, step)
    session.keep(key, f"{found:g}" if isinstance(step, float) else str(found), f"{default:g}")
    chosen: Number = found
    return chosen


def _read(asked: str) -> float | None:
    try:
        value = float(asked[:40])
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _nearest(value: float, low: Number, high: Number, step: Number) -> Number:
    """Of the numbers that the dial can show."""
    inside = min(max(value, low), high)
    if isinstance(step, float):
        return round(round(inside / step) * step, 6)
    return round(inside)
