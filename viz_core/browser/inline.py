"""Safe inlining into a self-contained HTML file: data, scripts, and the Content-Security-Policy that allows only these."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

_ENDS = re.compile(r"<(?=!--|/?(?:script|style))", re.IGNORECASE)
"""What would end a script or a style sheet, or change how the browser reads it."""
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def inline_json(value: Any) -> str:
    """JSON in which no character can end a script: for `<script type="application/json">`.

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
