"""The app's typeface inside a document that has no server to ask for it, or none that the browser takes for its own."""

import base64
import functools
from importlib.util import find_spec
from pathlib import Path

FACES = {"Source Sans": "SourceSansVF-Upright", "Source Code Pro": "SourceCodeVF-Upright"}
"""Streamlit's file of each family."""
POLICY = "font-src data:"
"""Lets a document use the fonts that it holds, and no other: in Firefox `'self'` names no origin of an iframe's text."""


def font_faces(styles: str) -> str:
    """The families that these style sheets name, each as a rule that holds its font; nothing of one that is not installed."""
    return "\n".join(_font_face(family) for family in FACES if family in styles)


@functools.cache
def _font_face(family: str) -> str:
    spec = find_spec("streamlit")  # without importing it
    if spec is None or spec.origin is None:
        return ""
    media = Path(spec.origin).parent / "static" / "static" / "media"
    file = next(media.glob(f"{FACES[family]}*.woff2"), None)
    if file is None:
        return ""
    source = f"url(data:font/woff2;base64,{base64.b64encode(file.read_bytes()).decode()}) format('woff2')"
    return f"@font-face {{ font-family: '{family}'; src: {source}; font-weight: 200 900; }}"
