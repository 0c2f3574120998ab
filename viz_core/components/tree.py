"""Beam search in the browser: the tree of what is kept, finished and pruned, stepped without the server."""

from __future__ import annotations

import streamlit as st

from viz_core.components.bundle import bundle, css

_tree = st.components.v2.component("viz_core_tree", html='<div class="viz-tree"></div>', css=css("tree"), js=bundle("tree/main.js"))


def show_tree(payload: bytes) -> None:
    """payload: of `viz_core.payload.tree`. What is picked comes back through the store, as the cell of `Look`."""
    _tree(key="_tree", data=payload)
