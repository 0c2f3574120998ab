"""The available talks: those of the folders, and those of this session, opened from a file or recorded."""

from collections.abc import Sequence
from pathlib import Path

from viz_core.app import memory, session, talks
from viz_core.app.cache import cached_file
from viz_core.app.controls import declared
from viz_core.app.memory import size_of
from viz_core.app.talks import Problem, Talk
from viz_core.home import SHARED
from viz_core.params import OPTIONS, SENTENCE, WALKED
from viz_core.texts import language

FOLDER = talks.FOLDER
SHARED_TALKS = [SHARED / "talks"] if SHARED else []
RECORDED = "recorded"
"""Name of the talk being recorded, in the address."""
Loaded = tuple[Talk, list[Problem]]


def parameters(pages: Sequence[str]) -> tuple[str, ...]:
    """The parameters that a view of a talk may set: those of every page, and the controls that the pages declare."""
    own = dict.fromkeys(name for page in pages for name in declared(page))
    return (*SENTENCE, *WALKED, *OPTIONS, *own)


def known() -> dict[str, Loaded]:
    """All talks by name: those of the folder, then those of this session."""
    names = sorted({name for folder in (FOLDER, *SHARED_TALKS) for name in talks.available(folder)})
    shipped = {name: loaded for name in names if (loaded := _shipped(name))}
    return shipped | session.get("_own_talks", {})


def loaded(name: str) -> Loaded | None:
    """A talk by its name, and the problems in its file; from this session or from the folders."""
    return session.get("_own_talks", {}).get(name) or _shipped(name)


def _shipped(name: str) -> Loaded | None:
    """A talk of the folders in the app's language, and the problems in its file; read again when the file has changed."""
    path = next(filter(None, (talks.find(name, folder) for folder in (FOLDER, *SHARED_TALKS))), None)
    if path is None:
        return None
    talk, problems = cached_file(_load, path, path, language())
    translation = talks.translation_of(path, language())
    words = cached_file(talks.read_texts, translation, translation) if translation else {}
    return talks.translated(talk, words), problems


def _load(path: Path, _language: str) -> Loaded:
    """`load` for the cache, with the language in the key, since problems are texts."""
    return load(path)


def load(path: Path, pages: Sequence[str] = ()) -> Loaded:
    """Reads a talk whose views may show these pages, by default all, with their parameters."""
    pages = pages or session.tour()
    return talks.load(path, pages, parameters(pages))


def own(talk: Talk, problems: list[Problem]) -> None:
    """Adds a talk to this session, in place of another one of its name. When there are too many, the oldest go."""
    mine: dict[str, Loaded] = {**session.get("_own_talks", {}), talk.name: (talk, problems)}
    for name in [*mine]:
        if size_of(mine) > memory.TALKS and name not in (talk.name, RECORDED):
            del mine[name]
    session.change(_own_talks=mine)


def close(name: str) -> None:
    """Removes a talk from this session."""
    session.change(_own_talks={other: kept for other, kept in session.get("_own_talks", {}).items() if other != name})


def find(name: str | None) -> Talk | None:
    """A talk by its name, from this session or from the folders."""
    talk, _ = (loaded(name) if name is not None else None) or (None, None)
    return talk
