"""A talk in another language: the texts of `talks/<language>/NAME.toml`, laid over those of `talks/NAME.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from viz_core.app.talks.read import LARGEST, find
from viz_core.app.talks.talk import Talk
from viz_core.files import read_bytes
from viz_core.text_lines import encoding_of
from viz_core.texts import flowing

OF_TALK = ("title", "about")
OF_VIEW = ("title", "caption", "note", "todo")
"""Only texts: what a view shows stands once, in the talk itself."""


def translation_of(path: Path, language: str) -> Path | None:
    """The file with a talk's texts in this language; None where there is none, and for the language of the talk itself."""
    return find(path.stem, path.parent / language)


def read_texts(path: Path) -> Mapping[str, Any]:
    """What stands in such a file; nothing where it cannot be read: the talk is then shown as it is."""
    try:
        content = read_bytes(path, LARGEST)
        return tomllib.loads(content.decode(encoding_of(content)))
    except (OSError, ValueError, RecursionError):
        return {}


def translated(talk: Talk, words: Mapping[str, Any]) -> Talk:
    """The talk with these texts, view by view; what they lack is as in the talk.

    They are left out as a whole where they have another number of views: none must stand on another view than its own.
    """
    views = words.get("view", [])
    if not isinstance(views, list) or len(views) != len(talk.views):
        return talk
    shown = [replace(view, **_texts(own, OF_VIEW)) for view, own in zip(talk.views, views, strict=True)]
    return replace(talk, **_texts(words, OF_TALK), views=tuple(shown))


def _texts(table: Any, names: tuple[str, ...]) -> dict[str, Any]:
    given = table if isinstance(table, Mapping) else {}
    return {name: flowing(given[name]).strip() for name in names if isinstance(given.get(name), str) and given[name].strip()}
