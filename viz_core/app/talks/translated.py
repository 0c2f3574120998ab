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
"""Only texts are translated: the parameters of a view are in the talk itself."""


def translation_of(path: Path, language: str) -> Path | None:
    """The file with a talk's texts in this language; None if there is none, as for the talk's own language."""
    return find(path.stem, path.parent / language)


def read_texts(path: Path) -> Mapping[str, Any]:
    """The texts in such a file; empty if it cannot be read, so that the talk is shown untranslated."""
    try:
        content = read_bytes(path, LARGEST)
        return tomllib.loads(content.decode(encoding_of(content)))
    except (OSError, ValueError, RecursionError):
        return {}


def translated(talk: Talk, words: Mapping[str, Any]) -> Talk:
    """The talk with these texts, view by view; missing ones stay as in the talk.

    With another number of views they are not used at all, lest a text appear on the wrong view.
    """
    views = words.get("view", [])
    if not isinstance(views, list) or len(views) != len(talk.views):
        return talk
    own = tuple(replace(view, **_texts(table, OF_VIEW)) for view, table in zip(talk.views, views, strict=True))
    return replace(talk, **_texts(words, OF_TALK), views=own)


def _texts(table: Any, names: tuple[str, ...]) -> dict[str, Any]:
    given = table if isinstance(table, Mapping) else {}
    return {name: flowing(given[name]).strip() for name in names if isinstance(given.get(name), str) and given[name].strip()}
