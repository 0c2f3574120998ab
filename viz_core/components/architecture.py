"""The drawing of the model in the page, its blocks as links."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent

_mount = st.components.v2.component(
    "viz_core_architecture",
    html='<div class="architecture"></div>',
    css=(HERE / "architecture.css").read_text("utf-8"),
    js=(HERE / "architecture.js").read_text("utf-8"),
)


def show_architecture(svg: str, key: str = "architecture") -> str | None:
    """Shows the drawing; the name of the page whose block was just clicked, or None."""
    clicked = _mount(key=key, data={"svg": svg}, on_page_change=lambda: None)
    return clicked.page or None
