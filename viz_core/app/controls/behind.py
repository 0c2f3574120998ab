"""Controls without a widget: those that one touches in the figure, and those behind “More” while it is closed.

Name, value and place in the address are the same as those of any other control.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import streamlit as st

from viz_core.app import session
from viz_core.texts import texts

if TYPE_CHECKING:
    from viz_core.app.page import Page

_seen: ContextVar[bool] = ContextVar("seen", default=True)


@contextmanager
def in_figure() -> Iterator[None]:
    """Around controls that a click into the figure sets, so that they need no widget."""
    with _unseen():
        yield


@contextmanager
def more(p: Page, *, width: int = 420) -> Iterator[None]:
    """Around controls that are seldom used: behind “More”, at the end of the row.

    While it is closed they have no widget: one in a closed popover is not mounted, and would hand back its old value when
    a link or a talk sets another.
    """
    button = st.popover(texts("app.frame")["more"], icon=":material/tune:", key=f"_more_of_{p.name}", on_change="rerun")
    if not button.open:
        with _unseen():
            yield
        return
    with button, st.container(horizontal=True, width=width, key="_controls_more"):
        yield


@contextmanager
def _unseen() -> Iterator[None]:
    token = _seen.set(False)
    try:
        yield
    finally:
        _seen.reset(token)


def has_widget(key: str) -> bool:
    """Whether the control whose value stands under this key is drawn now; what was set while it was not is the widget's value."""
    if not _seen.get():
        session.change(**{f"_unseen_{key}": True})
        return False
    if session.pending(f"_unseen_{key}"):
        session.change(**{key: session.get(key)})
    return True
