"""Results computed once, a bounded number of them, and shared by all sessions. The only place with Streamlit's caches."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import streamlit as st

from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.model import Transformer
from viz_core.model.pointer import PointerGenerator
from viz_core.texts import language
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Trace

ENTRIES = 24
"""Results of one function."""
FILES = 64
"""Files whose content is cached."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Ids = tuple[tuple[int, ...], ...]

_numbers: WeakKeyDictionary[object, int] = WeakKeyDictionary()
_next = itertools.count()


def _number(thing: object) -> tuple[int, str]:
    """Cache key of an object that never changes, such as a checkpoint, without reading its tensors.

    Results may hold words, so each language of the app has its own.
    """
    return _numbers.setdefault(thing, next(_next)), language()


_HASHES: dict[Any, Callable[[Any], Any]] = {
    Edits: Edits.link,
    **dict.fromkeys((Checkpoint, Explanation, PointerGenerator, Tokenizer, Trace, Transformer), _number),
}


def cached(function: Callable[..., Result], *arguments: Any, entries: int = ENTRIES, seconds: float | None = None) -> Result:
    """`function(*arguments)`, computed once.

    Args:
        function: pure, of a module; its results are shared and must never be changed.
        entries: results kept; fewer for large ones.
        seconds: how long they are kept, where the folder may have changed meanwhile.
    """
    found: Result = _cache_of(function, entries, seconds)(*arguments)
    return found


@functools.cache
def _cache_of(function: Callable[..., Result], entries: int, seconds: float | None) -> Callable[..., Result]:
    return st.cache_resource(show_spinner=False, max_entries=entries, ttl=seconds, hash_funcs=_HASHES)(function)


def cached_file(read: Callable[..., Result], file: Path, *arguments: Any) -> Result:
    """`read(*arguments)`, the content of a file; read again when the file has changed, appeared or disappeared."""
    changed = file.stat().st_mtime_ns if file.exists() else 0
    found: Result = _content(f"{read.__module__}.{read.__qualname__}", str(file), changed, arguments, read)
    return found


@st.cache_resource(show_spinner=False, max_entries=FILES, hash_funcs=_HASHES)
def _content(name: str, file: str, changed: int, arguments: tuple[Any, ...], _read: Callable[..., Any]) -> Any:
    return _read(*arguments)


def get_explanation(checkpoint: Checkpoint, text: str, target: str = "", edits: Edits = NONE) -> Explanation:
    """A sentence's explanation."""
    return cached(_explain, checkpoint, text, target, edits)


def get_pass(checkpoint: Checkpoint, sources: Ids, targets: Ids, edits: Edits = NONE) -> Trace:
    """One more pass over ids that are known already: a batch of sentences, or a run with edits."""
    return cached(_edited_pass, checkpoint, sources, targets, edits, entries=8)


def _explain(checkpoint: Checkpoint, text: str, target: str, edits: Edits) -> Explanation:
    return explain(checkpoint, text, target, edits, skip_missing=True)


def _edited_pass(checkpoint: Checkpoint, sources: Ids, targets: Ids, edits: Edits) -> Trace:
    return traced_pass(checkpoint, sources, targets, site_edits(edits, checkpoint.config))
