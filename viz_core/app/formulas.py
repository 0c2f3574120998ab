"""Formulas in our own browser-side parts, set by Streamlit's rehype-katex."""

import functools
import json
from pathlib import Path

import streamlit as st

from viz_core.app.base_path import below_base

PLUGIN = "/rehype-katex/index.js"


@functools.cache
def address() -> str:
    """The address of rehype-katex on this server; "" if this version of Streamlit has none."""
    manifest = Path(st.__file__).parent / "static" / "manifest.json"
    try:
        files = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    file = next((entry["file"] for name, entry in files.items() if name.endswith(PLUGIN)), "")
    return below_base(file) if file else ""
