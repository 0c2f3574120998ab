"""The last softmax in the browser: bars that grow and reorder, any temperature, the sentence assembling."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle, css

_odds = st.components.v2.component("viz_core_next_token", html='<div class="viz-next-token"></div>', css=css("next_token"), js=bundle("next_token/main.js"))


def show_odds(payload: bytes) -> None:
    """payload: of `viz_core.browser.next_token_payload`. What is picked, temperature and scale come back through the store, as `Look`."""
    _odds(key="_odds", data=payload)
