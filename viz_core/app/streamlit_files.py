"""Streamlit's own files: where the server serves them, and copies of its fonts, icons and formula typesetter for a site."""

import functools
import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import streamlit as st


def below_base(path: str) -> str:
    """A path of the app as the browser requests it: `parts/` is `/parts/`, or `/viz/parts/` with the base path `viz`."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


PLUGIN = "/rehype-katex/index.js"


@functools.cache
def address() -> str:
    """The address of rehype-katex on this server; "" if this version of Streamlit has none."""
    manifest = Path(st.__file__).parent / "static" / "manifest.json"
    try:
        files = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    file = next((entry["file"] for name, entry in files.items() if name.endswith(PLUGIN)), "")
    return below_base(file) if file else ""


SHEET = "streamlit/type.css"
"""The style sheet, relative to the site."""
WANTED = re.compile(r"katex|font-family:(?:Source Sans|Source Code Pro|Material Symbols Rounded)", re.IGNORECASE)
FONT = re.compile(r"url\(\.\./media/([^)]+)\)")


def copy_type(folder: Path) -> str:
    """Copies all of it into a site. Returns the typesetter's address below the site; "" if this version of Streamlit has none.

    Raises:
        OSError: the folder cannot be written.
    """
    static = Path(st.__file__).parent / "static"
    rules = _rules(static / "static" / "css")
    _copy(((static / "static" / "media" / font) for font in FONT.findall(rules)), folder / "streamlit" / "media")
    (folder / SHEET).write_text(FONT.sub(r"url(media/\1)", rules), "utf-8")
    manifest: Mapping[str, Any] = json.loads((static / "manifest.json").read_text("utf-8"))
    scripts = [static / file for file in _needed(manifest, next((name for name in manifest if name.endswith(PLUGIN)), ""))]
    _copy(iter(scripts), folder / "streamlit" / "js")
    return f"streamlit/js/{scripts[0].name}" if scripts else ""


def _rules(folder: Path) -> str:
    """The rules of our typefaces, of the icons and of KaTeX; none is inside another."""
    sheet = "".join(path.read_text("utf-8") for path in sorted(folder.glob("index.*.css")))
    return "\n".join(rule for rule in re.findall(r"[^{}]+\{[^{}]*\}", sheet) if WANTED.search(rule))


def _needed(manifest: Mapping[str, Any], name: str) -> Iterator[str]:
    """The file of a module, then those that it imports, as relative paths; some more than once."""
    if entry := manifest.get(name):
        yield entry["file"]
        for imported in entry.get("imports", ()):
            yield from _needed(manifest, imported)


def _copy(files: Iterator[Path], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
