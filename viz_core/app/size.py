"""How many bytes a value holds: what it would give back if it went."""

import functools
import sys
from collections.abc import Callable, Iterable
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np
from torch import Tensor, nn

LEAST = 1_000
"""Bytes that anything takes, its place in a cache included."""
_NUMBERS = frozenset((int, float, bool, type(None)))
_NUMBER = 32
"""Bytes of a Python number, its place in a container included."""


def size_of(thing: object, apart: tuple[type, ...] = ()) -> int:
    """Bytes of a value and of all it refers to; what it refers to twice counts once, so do views of one tensor or array.

    Args:
        apart: types that are not counted inside another value, as somebody else keeps them; nor are types derived from them.
    """
    total, seen, buffers = LEAST, set[int](), set[int]()
    waiting: list[Any] = [thing]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in _NUMBERS:
            total += _NUMBER
            continue
        if id(each) in seen or (each is not thing and _is_one_of(kind, apart)):  # type: ignore[arg-type]  # a type is hashable
            continue
        seen.add(id(each))
        if kind is np.ndarray and (owner := _owner(each)) is not each:
            waiting.append(owner)
        elif (buffer := _buffer(each, kind)) is None:
            total += sys.getsizeof(each)
            waiting += _parts_of(kind)(each)  # type: ignore[arg-type]  # a type is hashable
        elif buffer[0] not in buffers:
            buffers.add(buffer[0])
            total += buffer[1]
    return total


@functools.cache
def _is_one_of(kind: type[Any], apart: tuple[type, ...]) -> bool:
    return issubclass(kind, apart)


def _buffer(each: Any, kind: type) -> tuple[int, int] | None:
    """Address and bytes of the numbers that a tensor or an array holds."""
    if kind in (Tensor, nn.Parameter):
        storage = each.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return (each.ctypes.data, each.nbytes) if kind is np.ndarray else None


def _owner(array: np.ndarray[Any, Any]) -> Any:
    """Whose memory an array shows: an array's, or that of a tensor or of bytes from which it was made."""
    owner: Any = array
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    return owner


@functools.cache
def _parts_of(kind: type[Any]) -> Callable[[Any], Iterable[Any]]:
    """What values of a type refer to."""
    if issubclass(kind, str | bytes | bytearray | type | FunctionType):
        return lambda _: ()
    if issubclass(kind, dict | MappingProxyType):
        return lambda each: [*each.keys(), *each.values()]
    if issubclass(kind, list | tuple | set | frozenset):
        return list
    if slots := [name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ()) if not name.startswith("__")]:
        return lambda each: [getattr(each, name) for name in slots if hasattr(each, name)]
    return lambda each: getattr(each, "__dict__", {}).values()
