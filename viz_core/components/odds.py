"""The last softmax in the browser: bars that grow and reorder, any temperature, the sentence assembling."""

from __future__ import annotations

import streamlit as st

from viz_core.components.bundle import bundle, css

_odds = st.components.v2.component("viz_core_odds", html='<div class="viz-odds"></div>', css=css("odds"), js=bundle("odds/main.js"))


def show_odds(payload: bytes) -> None:
    """payload: of `viz_core.payload.odds`. What is picked, temperature and scale come back through the store, as `Look`."""
    _odds(key="_odds", data=payload)
