"""Font and colours of the frame around bertviz's drawings: those of the app."""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path

from viz_core.figures.base import FAMILY
from viz_core.figures.palette import Palette

FONT_POLICY = "font-src 'self'"
"""Lets the frame use the font that the page around it has loaded, and no other."""


def style(palette: Palette, **lengths: str) -> str:
    """The font, and the theme as CSS variables."""
    names = ("ink", "quiet", "surface", "panel", "line", "accent", "q_text", "k_text")
    values = {**{name: getattr(palette, name) for name in names}, "family": FAMILY, **lengths}
    theme = " ".join(f"--{name}: {value};" for name, value in values.items())
    return f"{font_face()}\n:root {{ color-scheme: {'dark' if palette.dark else 'light'}; {theme} }}"


@functools.cache
def font_face() -> str:
    """Streamlit's own font by its address on the server, so that the browser has it already; empty where there is none.

    The address is relative to the page: text in an iframe has the page's base, whatever path the app is served at.
    """
    spec = find_spec("streamlit")  # without importing it
    if spec is None or spec.origin is None:
        return ""
    folder = Path(spec.origin).parent / "static"
    file = next((folder / "static" / "media").glob("SourceSansVF-Upright*.woff2"), None)
    if file is None:
        return ""
    source = f"url(./static/media/{file.name}) format('woff2')"
    return f"@font-face {{ font-family: 'Source Sans'; src: {source}; font-weight: 200 900; font-display: swap; }}"
