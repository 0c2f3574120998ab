"""The browser's bundle, built by `viz_core/web/build.mjs`, for the server's answers and for HTML files.

A self-contained HTML file has data and scripts inlined safely, with a Content-Security-Policy that allows only these.
"""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from viz_core.home import HOME
from viz_core.texts import language

BROWSER = Path(__file__).resolve().parent
DIST = BROWSER.parent / "web" / "dist"
APP = DIST / "app.js"
"""All our code as one module. Its `part(name)` runs a part in Streamlit; in an HTML file, it shows the file's data."""
CHOSEN = BROWSER / "kit" / "chosen.css"
"""The style sheet of chosen controls, shared by the page and every part."""
_ENDS = re.compile(r"<(?=!--|/?(?:script|style))", re.IGNORECASE)
"""Texts that would end a script or a style sheet, or change how the browser reads it."""
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def css(name: str) -> str:
    """The style sheet of a part, if it has one."""
    files = [BROWSER / name / f"{name}.css", *sorted(HOME.glob(f"pages/*/browser/{name}.css"))]
    return next((file.read_text("utf-8") for file in files if file.exists()), "")


def browser_texts() -> Any:
    """The texts of all parts in the current language."""
    return json.loads((DIST / f"texts.{language()}.js").read_text("utf-8").removeprefix("export default "))


def inline_json(value: Any) -> str:
    """JSON for `<script type="application/json">`, without a character that could end the script.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_UNSAFE)


def inline_code(text: str) -> str:
    """A script or style sheet of ours, checked, and with the line ends that the browser hashes.

    Raises:
        ValueError: it contains a text that would end it early.
    """
    if _ENDS.search(text):
        raise ValueError(f"would end early in HTML: {_ENDS.split(text)[1][:40]!r}")
    return text.replace("\r\n", "\n")


def document(title: str, head: str, body: str, data: Any, scripts: str, allowed: str = "") -> str:
    """A page of ours, in the reader's language.

    Args:
        head, body, scripts: HTML. The scripts find the data in `#data`.
        allowed: its Content-Security-Policy, if it has one.
    """
    rule = f'<meta http-equiv="Content-Security-Policy" content="{escape(allowed)}">\n' if allowed else ""
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
{rule}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
{head}
</head>
<body>
{body}
<script type="application/json" id="data">{inline_json(data)}</script>
{scripts}
</body>
</html>
"""


def policy(scripts: Sequence[str], *more: str, computes: bool = False) -> str:
    """A Content-Security-Policy with which the browser runs these scripts only, and loads nothing.

    Args:
        scripts: exactly as between their tags.
        more: further directives, such as `img-src data:`.
        computes: whether they may compile WebAssembly.
    """
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    wasm = " 'wasm-unsafe-eval'" * computes
    # The figures are coloured by style attributes, through which nothing can be loaded.
    own = ("default-src 'none'", f"script-src {hashes}{wasm}", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'")
    return "; ".join([*own, *more])
