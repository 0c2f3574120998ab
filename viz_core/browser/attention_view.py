"""The stage in the page: attention at work, stepped in the browser."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle, css

_mount = st.components.v2.component(
    "viz_core_attention_view", html='<div class="viz-attention-view"></div>', css=css("attention_view"), js=bundle("attention_view/main.js")
)


def show_stage(payload: bytes, key: str) -> None:
    """Shows one attention; `payload` is what `viz_core.browser.attention_payload` makes of a sentence, and is sent once for each."""
    _mount(key=key, data=payload)
