"""Messages between the app and its calculator: pickled, with the arrays beside the pickle, and models by name.

Both ends are processes of one program, connected by a pipe that nobody else holds; nothing from outside is ever unpickled.
"""

import io
import pickle
import struct
import weakref
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
import torch
from torch import Tensor

from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer

Part = Literal["checkpoint", "model", "tokenizer", "source_tokenizer"]
Reference = tuple[Part, str, str]
"""Which part of a checkpoint, its folder, and the digest of its weights."""
MODELS = 2
"""Checkpoints that a process loads for the calls it is sent, beside those that it has anyway."""
_HEAD = struct.Struct("<QBI")  # number and kind of a message, and how many parts it has
_SIZE = struct.Struct("<Q")

_references: weakref.WeakKeyDictionary[object, Reference] = weakref.WeakKeyDictionary()
_things: weakref.WeakValueDictionary[Reference, Any] = weakref.WeakValueDictionary()


class NotSendable(Exception):
    """A value refers to a model that the other process cannot load: an untrained one, one made in a session."""


def can_be_loaded(checkpoint: Checkpoint, folder: Path) -> None:
    """From now on this checkpoint is sent as the name of the folder from which it was loaded."""
    for part, thing in _parts(checkpoint).items():
        reference = (part, str(folder), checkpoint.digest)
        _references.setdefault(thing, reference)
        _things[reference] = thing


def _parts(checkpoint: Checkpoint) -> Mapping[Part, Any]:
    return {
        "checkpoint": checkpoint,
        "model": checkpoint.model,
        "tokenizer": checkpoint.tokenizer,
        "source_tokenizer": checkpoint.source_tokenizer,
    }


def _resolve(reference: Reference) -> Any:
    """Resolves a reference to the local object."""
    if (thing := _things.get(reference)) is not None:
        return thing
    part, folder, digest = reference
    return _parts(_loaded(folder, digest))[part]


@lru_cache(maxsize=MODELS)
def _loaded(folder: str, digest: str) -> Checkpoint:
    found = checkpoints.load(Path(folder))
    if found.digest != digest:
        raise NotSendable(f"{folder} has other weights by now")
    can_be_loaded(found, Path(folder))
    return found


class _Pickler(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, Checkpoint | Transformer | Tokenizer):
            if (reference := _references.get(thing)) is None:
                raise NotSendable(f"{type(thing).__name__} of no folder")
            return _resolve, (reference,)
        if isinstance(thing, torch.nn.Module):
            raise NotSendable(f"{type(thing).__name__}")
        if isinstance(thing, Tensor):
            return torch.from_numpy, (np.ascontiguousarray(thing.numpy()),)
        return NotImplemented


def pack(thing: object) -> list[Any]:
    """The parts of a message: the pickle, then the numbers of each array.

    Raises:
        NotSendable: it refers to a model that is in no folder, or to a function or a value that cannot be pickled.
    """
    stream, buffers = io.BytesIO(), list[pickle.PickleBuffer]()
    try:
        _Pickler(stream, 5, buffer_callback=buffers.append).dump(thing)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise NotSendable(str(error)) from error
    return [stream.getbuffer(), *(buffer.raw() for buffer in buffers)]


def unpack(parts: Sequence[Any]) -> Any:
    """The unpacked value. Its arrays share one piece of memory.

    Raises:
        NotSendable: a checkpoint has changed meanwhile, or this process does not know a function or a type of it.
    """
    try:
        return pickle.loads(parts[0], buffers=parts[1:])
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise NotSendable(str(error)) from error


def write(pipe: BinaryIO, number: int, kind: int, parts: Sequence[Any] = ()) -> None:
    """One message. Raises OSError where nobody reads any more."""
    sizes = b"".join(_SIZE.pack(len(part)) for part in parts)
    pipe.write(b"".join([_HEAD.pack(number, kind, len(parts)), sizes, *parts]))
    pipe.flush()


def read(pipe: BinaryIO) -> tuple[int, int, list[Any]]:
    """The next message: its number, kind and parts. Raises EOFError at the end."""
    number, kind, count = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    sizes = [size for (size,) in _SIZE.iter_unpack(_exactly(pipe, count * _SIZE.size))]
    whole, parts, at = _exactly(pipe, sum(sizes)), [], 0
    for size in sizes:
        parts.append(whole[at : at + size])
        at += size
    return number, kind, parts


def _exactly(pipe: BinaryIO, size: int) -> memoryview:
    whole, got = memoryview(bytearray(size)), 0
    while got < size:
        if not (more := pipe.readinto(whole[got:])):  # type: ignore[attr-defined]  # of a buffered reader
            raise EOFError
        got += more
    return whole
