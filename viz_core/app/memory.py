"""The server's memory: bounds of its caches, the size of a value, and settings of glibc's malloc.

Each cache has a bound in bytes, and drops the least recently used values first. The program itself takes about 475 MB, including
en-de and the first page. Each of the other shipped checkpoints takes up to 38 MB once it has been used. From the fourth reader on,
a second process, the calculator, takes 450 to 550 MB; it keeps only two models.
"""

import ctypes
import functools
import gc
import sys
from collections.abc import Iterable
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from torch import Tensor

MB = 1_000_000

SENTENCES = 200 * MB
"""Explanations, each with its trace, and further passes: 2 to 6 MB for a sentence of 5 to 20 tokens, 45 MB for the longest."""
RESULTS = 96 * MB
"""Results computed from a sentence, a model or a file: payloads of the browser-side parts, analyses, tables."""
CHECKPOINTS = 56 * MB
"""Loaded models beside those of the folders (see `of_folders`): snapshots, tuned and untrained ones."""
TUNED = 96 * MB
"""Fine-tuned models that sessions keep, as files: 19 MB for one of the largest shipped model, 4 MB for the next."""
RUNS = 120 * MB
"""Paused training runs of all sessions together: 12 bytes a weight, so one run of the largest shipped model, or five of the next.
The active run takes memory of its own."""
TALKS = 4 * MB
"""Talks of one session, recorded or opened from files."""


def of_folders(folders: Iterable[Path]) -> int:
    """Bytes of the models in these folders, once loaded: files have at least half precision, loaded models single precision."""
    files = (file for folder in folders for file in folder.glob("*/model.safetensors") if file.is_file())
    return sum(2 * file.stat().st_size for file in files)


LEAST = 1_000
"""Bytes that any value takes, its place in a cache included."""
_SHARED = (type, FunctionType, BuiltinFunctionType, ModuleType)
"""Parts of the program that values refer to."""


def size_of(thing: object, apart: tuple[type, ...] = ()) -> int:
    """Bytes of a value and all it refers to; shared objects, and views of one tensor or array, count once.

    Args:
        apart: types not counted inside another value, since they are kept elsewhere; subclasses included.
    """
    total, seen = LEAST, set[int]()
    waiting: list[Any] = [thing]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Tensor):
            value = value.untyped_storage()
            key, size = value.data_ptr(), value.nbytes()
        else:
            key, size = id(value), sys.getsizeof(value)
        if key in seen or isinstance(value, _SHARED) or (value is not thing and isinstance(value, apart)):
            continue
        seen.add(key)
        total += size
        waiting += [value.base] if isinstance(value, np.ndarray) else gc.get_referents(value)
    return total


ARENAS = 2
"""One per computing core. The default is up to 8 per core, and memory that a thread frees in its arena is lost to the others."""
_ARENA_MAX = -8  # M_… of malloc.h


def share_freed_memory() -> None:
    """Lets threads reuse memory that others have freed; saves a sixth of the server's memory with ten sessions at a time."""
    if (library := _glibc()) is not None:
        library.mallopt(_ARENA_MAX, ARENAS)


def give_back_freed_memory() -> None:
    """Returns free pages to the system, also from the middle of malloc's heap."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


@functools.cache
def _glibc() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL("libc.so.6")
    except OSError:  # another C library
        return None
