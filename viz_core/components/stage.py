"""The stage in the page: attention at work, stepped in the browser."""

from __future__ import annotations

import streamlit as st

from viz_core.components.bundle import bundle, css

_mount = st.components.v2.component(
    "viz_core_stage", html='<div class="viz-stage"></div>', css=css("stage"), js=bundle("stage/main.js")
)


def show_stage(payload: bytes, key: str) -> None:
    """Shows one attention; `payload` is what `viz_core.payload.stage` makes of a sentence, and is sent once for each."""
    _mount(key=key, data=payload)
