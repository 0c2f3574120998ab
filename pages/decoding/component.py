"""Beam search in the browser: the tree of what is kept, finished and pruned, stepped without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.browser.bundle import bundle, css

_tree = st.components.v2.component("viz_core_beam_tree", html='<div class="viz-beam-tree"></div>', css=css("beam_tree"), js=bundle("beam_tree/main.js"))


def show_tree(payload: bytes) -> None:
    """payload: of `pages.decoding.beam_payload`. What is picked comes back through the store, as the cell of `Look`."""
    _tree(key="_tree", data=payload)
