"""Font and colours of the frame around bertviz's drawings: those of the app."""

from __future__ import annotations

from viz_core.app.typeface import font_faces
from viz_core.figures.base import FAMILY
from viz_core.figures.palette import Palette


def style(palette: Palette, **lengths: str) -> str:
    """The font, and the theme as CSS variables."""
    names = ("ink", "quiet", "surface", "panel", "line", "accent", "q_text", "k_text")
    values = {**{name: getattr(palette, name) for name in names}, "family": FAMILY, **lengths}
    theme = " ".join(f"--{name}: {value};" for name, value in values.items())
    return f"{font_faces(FAMILY)}\n:root {{ color-scheme: {'dark' if palette.dark else 'light'}; {theme} }}"
