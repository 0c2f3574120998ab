"""Size of a value in bytes: the memory that deleting it would free."""

import functools
import sys
from collections.abc import Callable, Iterable
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np
from torch import Tensor, nn

LEAST = 1_000
"""Bytes that any value takes, its place in a cache included."""
_NUMBERS = frozenset((int, float, bool, type(None)))
_NUMBER = 32
"""Bytes of a Python number, its place in a container included."""


def size_of(thing: object, apart: tuple[type, ...] = ()) -> int:
    """Bytes of a value and all it refers to; shared objects, and views of one tensor or array, count once.

    Args:
        apart: types not counted inside another value, since they are kept elsewhere; subclasses included.
    """
    total, seen, buffers = LEAST, set[int](), set[int]()
    waiting: list[Any] = [thing]
    while waiting:
        value = waiting.pop()
        kind = type(value)
        if kind in _NUMBERS:
            total += _NUMBER
            continue
        if id(value) in seen or (value is not thing and _is_one_of(kind, apart)):  # type: ignore[arg-type]  # a type is hashable
            continue
        seen.add(id(value))
        if kind is np.ndarray and (owner := _owner(value)) is not value:
            waiting.append(owner)
        elif (buffer := _buffer(value, kind)) is None:
            total += sys.getsizeof(value)
            waiting += _parts_of(kind)(value)  # type: ignore[arg-type]  # a type is hashable
        elif buffer[0] not in buffers:
            buffers.add(buffer[0])
            total += buffer[1]
    return total


@functools.cache
def _is_one_of(kind: type[Any], apart: tuple[type, ...]) -> bool:
    return issubclass(kind, apart)


def _buffer(value: Any, kind: type) -> tuple[int, int] | None:
    """Address and bytes of the memory of a tensor or array."""
    if kind in (Tensor, nn.Parameter):
        storage = value.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return (value.ctypes.data, value.nbytes) if kind is np.ndarray else None


def _owner(array: np.ndarray[Any, Any]) -> Any:
    """The owner of an array's memory: an array, or the tensor or bytes that it was made from."""
    owner: Any = array
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    return owner


@functools.cache
def _parts_of(kind: type[Any]) -> Callable[[Any], Iterable[Any]]:
    """A function from a value of this type to the values that it refers to."""
    if issubclass(kind, str | bytes | bytearray | type | FunctionType):
        return lambda _: ()
    if issubclass(kind, dict | MappingProxyType):
        return lambda value: [*value.keys(), *value.values()]
    if issubclass(kind, list | tuple | set | frozenset):
        return list
    if slots := [name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ()) if not name.startswith("__")]:
        return lambda value: [getattr(value, name) for name in slots if hasattr(value, name)]
    return lambda value: getattr(value, "__dict__", {}).values()
