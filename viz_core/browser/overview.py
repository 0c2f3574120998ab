"""The machine in the browser: the whole forward pass of one sentence at a glance, stepping without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle, css

_machine = st.components.v2.component(
    "viz_core_overview", html='<div class="viz-overview"></div>', css=css("overview"), js=bundle("overview/main.js")
)


def show_machine(payload: bytes) -> None:
    """payload: of `viz_core.browser.overview_payload`. The open block comes back through the store, as `Look`."""
    _machine(key="_machine", data=payload)
