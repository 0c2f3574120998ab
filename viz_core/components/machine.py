"""The machine in the browser: the whole forward pass of one sentence at a glance, stepping without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.components.bundle import bundle, css

_machine = st.components.v2.component(
    "viz_core_machine", html='<div class="viz-machine"></div>', css=css("machine"), js=bundle("machine/main.js")
)


def show_machine(payload: bytes) -> None:
    """payload: of `viz_core.payload.machine`. The open block comes back through the store, as `Look`."""
    _machine(key="_machine", data=payload)
