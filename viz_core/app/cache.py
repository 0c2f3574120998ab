"""Results computed once and shared by all sessions, within a bound in bytes. No result is ever changed.

A result lives no longer than its inputs: the payloads and analyses of a sentence go when the sentence goes.
"""

import dataclasses
import itertools
import math
import threading
import weakref
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from cachetools import TLRUCache

from viz_core.app import memory
from viz_core.app.memory import size_of
from viz_core.app.run_lock import aside, waiting
from viz_core.app.worker_process import computed
from viz_core.catalog import folders
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.model import Transformer
from viz_core.model.embedding import Embedding
from viz_core.model.pointer import PointerGenerator
from viz_core.texts import language
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Trace

Result = TypeVar("Result")
Ids = tuple[tuple[int, ...], ...]

LONG, LONG_IDS = 150, 40
"""Length of a sentence, in characters and tokens, beyond which other sessions must not wait for its pass."""

NUMBERED = (Checkpoint, Explanation, PointerGenerator, Tokenizer, Trace, Transformer)
"""Immutable types that are too large to hash: in a key, each object is represented by a number."""
MODELS = (Checkpoint, PointerGenerator, Transformer)
APART = (*MODELS, Embedding, Tokenizer)
"""Types not counted in a result's size, since they are kept elsewhere."""


@dataclass(frozen=True)
class Key:
    """A call. numbers: represent its `NUMBERED` arguments."""

    function: Hashable
    arguments: Hashable
    numbers: frozenset[int]


@dataclass(frozen=True)
class Entry:
    """A result with its size in bytes, and how long it is kept."""

    result: Any
    size: int
    seconds: float


class Abandoned(Exception):
    """A computation was given up because nobody waited for it; whoever asked for it meanwhile computes it again."""


class Shelf(TLRUCache[Key, Entry, float]):
    """Results of one kind; the least recently used go first."""

    def __init__(self, most: int) -> None:
        super().__init__(most, lambda _, entry, now: now + entry.seconds, getsizeof=lambda entry: entry.size)


sentences, results, models = (
    Shelf(memory.SENTENCES),
    Shelf(memory.RESULTS),
    Shelf(memory.CHECKPOINTS + memory.of_folders(folders())),
)
_running: dict[Key, Future[Any]] = {}
_lock = threading.RLock()
_numbers: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
_next = itertools.count()
_gone: deque[int] = deque()
"""Numbers of collected objects; a finalizer may run at any time, so it only leaves a note here."""


def cached(function: Callable[..., Result], *arguments: Any, seconds: float | None = None) -> Result:
    """`function(*arguments)`, computed once: of several threads that ask at the same time, all but the first wait.

    An exception reaches all that wait and is not kept, nor is a result larger than its bound.

    Args:
        function: pure, at module level; its results are shared and must never be changed.
        seconds: how long they are kept, for results that depend on a folder.
    """
    return computed_once(key_of(function, arguments), lambda: function(*arguments), seconds)


def if_cached(function: Callable[..., Result], *arguments: Any) -> Result | None:
    """`function(*arguments)` if it was computed already, else None."""
    entry = find(key_of(function, arguments))
    return None if entry is None else entry.result


def cached_aside(function: Callable[..., Result], *arguments: Any) -> Result:
    """`cached` for calls that take some tenths of a second: meanwhile, runs of other sessions go on."""
    return computed_once(key_of(function, arguments), lambda: _beside(function, *arguments))


def _beside(function: Callable[..., Result], *arguments: Any) -> Result:
    with aside():
        return function(*arguments)


def cached_file(read: Callable[..., Result], file: Path, *arguments: Any) -> Result:
    """`read(*arguments)`, the content of a file; read again once the file has changed, appeared or disappeared."""
    changed = file.stat().st_mtime_ns if file.exists() else 0
    return computed_once(key_of(read, (str(file), changed, *arguments)), lambda: read(*arguments))


def get_explanation(checkpoint: Checkpoint, text: str, target: str = "", edits: Edits = NONE) -> Explanation:
    return _passed(max(len(text), len(target)) > LONG, _explain, checkpoint, text, target, edits)


def get_pass(checkpoint: Checkpoint, sources: Ids, targets: Ids, edits: Edits = NONE) -> Trace:
    """A pass over given ids: a batch of sentences, or a pass with edits."""
    return _passed(max(map(len, (*sources, *targets))) > LONG_IDS, _edited_pass, checkpoint, sources, targets, edits)


def _passed(long: bool, function: Callable[..., Result], *arguments: Any) -> Result:
    def here() -> Result:
        return _beside(function, *arguments) if long else function(*arguments)

    return computed_once(key_of(function, arguments), lambda: computed("pass", function, *arguments, here=here))


def _explain(checkpoint: Checkpoint, text: str, target: str, edits: Edits) -> Explanation:
    return explain(checkpoint, text, target, edits, skip_missing=True)


def _edited_pass(checkpoint: Checkpoint, sources: Ids, targets: Ids, edits: Edits) -> Trace:
    return traced_pass(checkpoint, sources, targets, site_edits(edits, checkpoint.config))


WORDLESS = (_explain, _edited_pass)
"""Functions whose results contain no texts, so that all languages of the app share them."""


def find(key: Key) -> Entry | None:
    """The cached result of a call; None if it is not cached."""
    with _lock:
        return next((entry for shelf in (sentences, results, models) if (entry := shelf.get(key)) is not None), None)


def computed_once(key: Key, compute: Callable[[], Result], seconds: float | None = None) -> Result:
    """`cached` for a call with a known key."""
    with _lock:
        if (entry := find(key)) is not None:
            kept: Result = entry.result
            return kept
        if first := key not in _running:
            _running[key] = Future()
        future: Future[Result] = _running[key]
    if not first:
        try:
            with waiting():
                return future.result()
        except Abandoned:
            return computed_once(key, compute, seconds)
    try:
        result = compute()
        shelf = sentences if isinstance(result, Explanation | Trace) else models if isinstance(result, MODELS) else results
        size = size_of((key.arguments, result), () if shelf is models else APART)  # outside the lock, as it takes a while
        with _lock:
            _keep(key, Entry(result, size, math.inf if seconds is None else seconds), shelf)
    except BaseException as error:
        del _running[key]
        future.set_exception(error)
        raise
    del _running[key]
    future.set_result(result)
    return result


def _keep(key: Key, entry: Entry, shelf: Shelf) -> None:
    _sweep()
    if entry.size <= shelf.maxsize:
        shelf[key] = entry
    _sweep()  # also of results that the new one has displaced


def _sweep() -> None:
    """Removes results whose inputs have been collected."""
    while _gone:
        gone = {_gone.popleft() for _ in range(len(_gone))}
        for shelf in (sentences, results, models):
            for key in [key for key in shelf if not gone.isdisjoint(key.numbers)]:
                shelf.pop(key, None)


def key_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Key:
    numbers: set[int] = set()
    spoken = "" if function in WORDLESS else language()  # results may contain texts, so each language of the app has its own

    def plain(value: Any) -> Hashable:
        if isinstance(value, NUMBERED):
            numbers.add(number := _number(value))
            return number, spoken
        if isinstance(value, Edits):
            return value.link()
        if isinstance(value, list | tuple):
            return tuple(map(plain, value))
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return type(value), *(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
        hashable: Hashable = value
        return hashable

    return Key(function, plain(arguments), frozenset(numbers))


def _number(thing: object) -> int:
    with _lock:
        if thing not in _numbers:
            _numbers[thing] = next(_next)
            weakref.finalize(thing, _gone.append, _numbers[thing]).atexit = False
        return _numbers[thing]
