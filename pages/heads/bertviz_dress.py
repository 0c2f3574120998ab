"""Letters and colours of bertviz's views: those of the app, in place of the browser's own and of d3's."""

from __future__ import annotations

import functools
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from viz_core.figures.base import FAMILY
from viz_core.figures.palette import Palette

HEADS = {
    False: ("#7A4BB9", "#C46D01", "#0A6FB8", "#2F9F3D", "#B3283F", "#9E840A", "#5A5668", "#CA549D", "#06726E", "#719503"),
    True: ("#B48AE8", "#F5A04E", "#4AA8F0", "#6FD678", "#F4606F", "#E6C216", "#B3AFC2", "#FEA3D7", "#12B5AE", "#ABD64D"),
}
"""Of the heads in the head view, by whether the theme is dark; from the eleventh head on they begin again. Neighbours differ
in lightness as well as in hue, and each has a contrast of at least 3:1 on the surface."""
FONT_POLICY = "font-src 'self'"
"""Lets the frame use the font that the page around it has loaded, and no other."""


def drawing_colours(palette: Palette) -> dict[str, Any]:
    """What bertviz draws with: a colour for each head; in the model view, where places tell heads apart, the one of attention."""
    return {"heads": HEADS[palette.dark], "lines": palette.accent}


def style(palette: Palette, **lengths: str) -> str:
    """The font, and the theme as CSS variables."""
    names = ("ink", "quiet", "surface", "panel", "line", "accent", "q_text", "k_text")
    dress = {**{name: getattr(palette, name) for name in names}, "family": FAMILY, **lengths}
    theme = " ".join(f"--{name}: {value};" for name, value in dress.items())
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
