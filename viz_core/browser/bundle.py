"""Joins a JavaScript module and all it imports into one text: no build step, and Streamlit takes one text for a component.

The modules are plain ES modules that a browser could load as they are. The joined text has each module once, imports first.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

JS = Path(__file__).parent / "js"
MADE_OF = {"beside": ("stage",)}
"""Parts that have others in themselves."""
_IMPORT = re.compile(r"""^import\s*\{[^}]*\}\s*from\s*["'](\.[^"']+)["'];?[ \t]*$""", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|const|let|class)\b)", re.MULTILINE)


@functools.cache
def bundle(entry: str) -> str:
    """One text with the module `entry` (relative to `js/`) last.

    Top-level names must differ between the modules that meet. `export default` stays; other exports become plain names.

    Raises:
        FileNotFoundError: an import names a file that is not there.
    """
    seen: list[Path] = []
    _collect((JS / entry).resolve(), seen)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", path.read_text("utf-8"))) for path in seen)


def css(name: str) -> str:
    """The style sheet of a part, such as `remote`, behind those of the parts that it is made of."""
    return "\n".join((JS / each / f"{each}.css").read_text("utf-8") for each in (*MADE_OF.get(name, ()), name))


def _collect(path: Path, seen: list[Path]) -> None:
    for name in _IMPORT.findall(path.read_text("utf-8")):
        needed = (path.parent / name).resolve()
        if needed not in seen:
            _collect(needed, seen)
    if path not in seen:
        seen.append(path)
