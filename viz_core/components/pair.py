"""Two models, or two sentences, side by side in the browser: stepping and comparing without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.components.bundle import bundle, css

_beside = st.components.v2.component(
    "viz_core_beside", html='<div class="viz-beside"></div>', css=css("beside"), js=bundle("beside/main.js")
)
_pair = st.components.v2.component("viz_core_pair", html='<div class="viz-pair"></div>', css=css("pair"), js=bundle("pair/main.js"))


def show_pair(payload: bytes) -> None:
    """payload: of `viz_core.payload.pair`."""
    _pair(key="_pair", data=payload)


def show_beside(payload: bytes, key: str) -> None:
    """Two stages; payload: of `viz_core.payload.pair`. Another key for another attention."""
    _beside(key=key, data=payload)
