"""Lines of source that lead to a call of the forward pass: hears which of them is pressed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz_core.browser.bundle import bundle

_KEY = "_hear_lines"
_lines = st.components.v2.component("viz_core_lines", html='<div class="viz-lines"></div>', js=bundle("lines/main.js"))


def hear_lines(at: int, hear: Callable[[Any], None]) -> None:
    """Shows nothing itself.

    Args:
        at: the call at which one stands.
        hear: called with the call that a line names, which may be anything.
    """

    def pass_on() -> None:
        lines = st.session_state.get(_KEY)
        if lines is not None and lines.get("call") is not None:
            hear(lines["call"])

    with st.container(key="_lines"):
        _lines(key=_KEY, data=[at], on_call_change=pass_on)
