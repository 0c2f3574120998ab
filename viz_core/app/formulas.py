"""What sets the formulas of our own parts in the browser: the same rehype-katex as in the texts that Streamlit shows."""

import functools
import json
from pathlib import Path

import streamlit as st

from viz_core.app.base_path import below_base

PLUGIN = "/rehype-katex/index.js"


@functools.cache
def address() -> str:
    """Where the browser finds the module on this server; "" where this version of Streamlit has none."""
    manifest = Path(st.__file__).parent / "static" / "manifest.json"
    try:
        files = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    found = next((each["file"] for name, each in files.items() if name.endswith(PLUGIN)), "")
    return below_base(found) if found else ""
