"""Names of files that every system takes, as `shared/save.js` makes them in the browser."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 80


def file_name(*parts: str) -> str:
    """The parts joined, without an ending: letters and digits of any script, _ and -, nothing else."""
    text = unicodedata.normalize("NFC", "-".join(parts))
    kept = "".join(sign if sign == "_" or unicodedata.category(sign)[0] in "LNM" else "-" for sign in text)
    return re.sub("-+", "-", kept).strip("-")[:LONGEST].rstrip("-") or "view"
