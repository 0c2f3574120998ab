"""All words shown, in one `<language>.toml` beside the code that shows them; values are put in at [[name]]."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from viz_core.home import HOME

DEFAULT_LANGUAGE = "en"
CORE = Path(__file__).parent
PAGES = HOME / "pages"
_PLACE = re.compile(r"\[\[(\w+)\]\]")
_language: ContextVar[str] = ContextVar("language", default=DEFAULT_LANGUAGE)


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages in which the app can speak: those of the shell's texts."""
    return tuple(sorted(file.stem for file in (CORE / "app").glob("*.toml")))


def language() -> str:
    """The language in which the app speaks now, in this thread."""
    return _language.get()


def speak(chosen: str) -> None:
    """Sets the language for all that this thread shows from now on."""
    _language.set(chosen)


def texts(name: str) -> Mapping[str, Any]:
    """The texts of a page or folder in the language of the app, or one table of them.

    Args:
        name: a page, such as `tokens`; a folder of viz_core, such as `edits`; else a table of viz_core's own texts, such as
            `sites`. A table of a page or folder follows after a dot: `decoding.tree`, `app.notices`.
    """
    return _texts(name, language())


@functools.cache
def _texts(name: str, language: str) -> Mapping[str, Any]:
    folder, _, table = name.partition(".")
    file = next((f for f in (PAGES / folder / f"{language}.toml", CORE / folder / f"{language}.toml") if f.exists()), None)
    if file is None:
        file, table = CORE / f"{language}.toml", folder
    found = _read(file)
    return found[table] if table else found  # type: ignore[no-any-return]


@functools.cache
def _read(file: Path) -> Mapping[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Puts values in their places.

    Raises:
        KeyError: the template has a place for which there is no value.
    """
    return _PLACE.sub(lambda place: str(values[place[1]]), template)


def visible(text: str, keep: str = "") -> str:
    """The text with every character that prints nothing as ⟨its code in hexadecimal⟩, except those of `keep`."""
    return "".join(c if c.isprintable() or c in keep else f"⟨{ord(c):02X}⟩" for c in text)
