"""What the browser runs: built by `viz_core/web/build.mjs`, from here into the server's answers and into HTML files.

In a self-contained HTML file, data and scripts are inlined safely, with the Content-Security-Policy that allows only these.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz_core.home import HOME

BROWSER = Path(__file__).resolve().parent
DIST = BROWSER.parent / "web" / "dist"
APP = DIST / "app.js"
"""All of ours as one module: `part(name)` is what Streamlit runs for a part, and in an HTML file it shows what that holds."""
CHOSEN = BROWSER / "kit" / "chosen.css"
"""The style sheet of what is chosen, which the page and every part have."""
_ENDS = re.compile(r"<(?=!--|/?(?:script|style))", re.IGNORECASE)
"""Texts that would end a script or a style sheet, or change how the browser reads it."""
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def css(name: str) -> str:
    """The style sheet that a part has for itself, if any."""
    shared, of_pages = BROWSER / name / f"{name}.css", sorted(HOME.glob(f"pages/*/browser/{name}.css"))
    return next((file.read_text("utf-8") for file in (shared, *of_pages) if file.exists()), "")


def inline_json(value: Any) -> str:
    """JSON without a character that could end a script: for `<script type="application/json">`.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_UNSAFE)


def inline_code(text: str) -> str:
    """A script or style sheet of ours, checked; with line ends as the browser counts them into the hash.

    Raises:
        ValueError: it holds what would end it too early.
    """
    if _ENDS.search(text):
        raise ValueError(f"would end early in HTML: {_ENDS.split(text)[1][:40]!r}")
    return text.replace("\r\n", "\n")


def policy(scripts: Sequence[str], *more: str) -> str:
    """A Content-Security-Policy: the browser runs these scripts and nothing else, and loads nothing from anywhere.

    Args:
        scripts: exactly as they stand between their tags.
        more: further directives, such as `img-src data:`.
    """
    named = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    # Style attributes colour what is drawn; nothing can be loaded through them.
    own = ("default-src 'none'", f"script-src {named}", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'")
    return "; ".join([*own, *more])
