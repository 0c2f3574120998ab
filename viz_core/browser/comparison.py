"""Two models, or two sentences, side by side in the browser: stepping and comparing without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle, css

_beside = st.components.v2.component(
    "viz_core_side_by_side", html='<div class="viz-side-by-side"></div>', css=css("side_by_side"), js=bundle("side_by_side/main.js")
)
_pair = st.components.v2.component("viz_core_comparison", html='<div class="viz-comparison"></div>', css=css("comparison"), js=bundle("comparison/main.js"))


def show_pair(payload: bytes) -> None:
    """payload: of `viz_core.browser.comparison_payload`."""
    _pair(key="_pair", data=payload)


def show_beside(payload: bytes, key: str) -> None:
    """Two stages; payload: of `viz_core.browser.comparison_payload`. Another key for another attention."""
    _beside(key=key, data=payload)
