"""The switchboard in the browser: every edit of the model as a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from viz_core.browser.bundle import bundle, css

_KEY = "_switchboard"
_switchboard = st.components.v2.component(
    "viz_core_switchboard",
    html='<div class="viz-switchboard"></div>',
    css=css("switchboard"),
    js=bundle("switchboard/main.js"),
)


def show_switchboard(data: Mapping[str, Any], hear: Callable[[Any], None]) -> None:
    """data: as `mountSwitchboard` takes it. hear: called with what the browser says, which may be anything."""

    def pass_on() -> None:
        board = st.session_state.get(_KEY)  # away for a moment while one page follows another: the browser says it again
        message = None if board is None else board.get("edits")
        if message is not None:
            hear(message)

    _switchboard(key=_KEY, data=[dict(data)], on_edits_change=pass_on)  # as a list: see `viz_core.browser.player`
