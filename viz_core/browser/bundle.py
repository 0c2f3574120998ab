"""Bundler: a JavaScript module and all its imports as one text, without a build step; Streamlit takes one text per component.

The modules are plain ES modules that a browser could load as they are. The bundle has each module once, imports first.
A part is `<part>.js`, which exports `mount<Part>(root, payload, store)`, and `<part>.css`. Its folder is `viz_core/browser/<part>/`
where several pages use it, else `pages/<page>/browser/`.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

BROWSER = Path(__file__).parent
PAGES = BROWSER.parents[1] / "pages"
MADE_OF = {"side_by_side": ("attention_view",)}
"""Parts that contain others and need their style sheets, too."""
_IMPORT = re.compile(r"""^import\s*\{[^}]*\}\s*from\s*["'](\.[^"']+)["'];?[ \t]*$""", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|const|let|class)\b)", re.MULTILINE)


def part(name: str) -> Path:
    """The folder of a part.

    Raises:
        FileNotFoundError: there is no such part.
    """
    shared = BROWSER / name
    if shared.is_dir():
        return shared
    found = next(PAGES.glob(f"*/browser/{name}.js"), None)
    if found is None:
        raise FileNotFoundError(f"no browser-side part is called {name}")
    return found.parent


def script(name: str) -> str:
    """A part's module with all it imports, without a default export."""
    return bundle(part(name) / f"{name}.js")


def mount_name(name: str) -> str:
    """The function that a part's module exports: `mountNextToken` of `next_token`."""
    return "mount" + "".join(word.capitalize() for word in name.split("_"))


@functools.cache
def component_script(name: str) -> str:
    """What Streamlit runs for a part: its own `main.js`, or a default export that mounts it."""
    folder = part(name)
    own = next(file for file in (folder / "main.js", folder / f"{name}.js") if file.exists())
    text = bundle(own)
    if "export default" in text:
        return text
    wrapper = f"export default (streamlit) => face(streamlit, {mount_name(name)});"
    return bundle(BROWSER / "kit" / "face.js", own) + "\n" + wrapper


@functools.cache
def bundle(*entries: Path) -> str:
    """One text with the modules `entries` last.

    Top-level names must differ between the modules that meet. `export default` stays; other exports become plain names.

    Raises:
        FileNotFoundError: an import names a file that does not exist.
        ValueError: modules import each other in a circle.
    """
    seen: list[Path] = []
    for entry in entries:
        _collect(entry.resolve(), seen, ())
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", path.read_text("utf-8"))) for path in seen)


def css(name: str) -> str:
    """The style sheet of a part, behind those of the parts that it is made of; empty where it has none."""
    sheets = [part(each) / f"{each}.css" for each in (*MADE_OF.get(name, ()), name)]
    return "\n".join(sheet.read_text("utf-8") for sheet in sheets if sheet.exists())


def _collect(path: Path, seen: list[Path], importers: tuple[Path, ...]) -> None:
    if path in importers:
        raise ValueError(f"modules import each other in a circle: {' → '.join(each.name for each in (*importers, path))}")
    for name in _IMPORT.findall(path.read_text("utf-8")):
        needed = (path.parent / name).resolve()
        if needed not in seen:
            _collect(needed, seen, (*importers, path))
    if path not in seen:
        seen.append(path)
