"""The app's typeface, embedded in documents that cannot request it from a server of their own origin."""

import base64
import functools
from importlib.util import find_spec
from pathlib import Path

FACES = {"Source Sans": "SourceSansVF-Upright", "Source Code Pro": "SourceCodeVF-Upright"}
"""Font family → name of Streamlit's file."""
POLICY = "font-src data:"
"""Allows embedded fonts only: in Firefox, `'self'` matches no origin in an iframe's srcdoc."""


def font_faces(styles: str) -> str:
    """A rule with the embedded font for each family in these style sheets; none for a family that is not installed."""
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
