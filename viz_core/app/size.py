"""Size of a value in bytes: the memory that deleting it would free."""

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from torch import Tensor

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
