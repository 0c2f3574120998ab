"""Calls and results as bytes: pickled, but models by their folders.

Both ends are processes of one program, and only they know the key of the connection; nothing from outside is ever unpickled.
"""

import io
import pickle
import weakref
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

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

_references: weakref.WeakKeyDictionary[object, Reference] = weakref.WeakKeyDictionary()
_things: weakref.WeakValueDictionary[Reference, Any] = weakref.WeakValueDictionary()


class NotSendable(Exception):
    """A value refers to a model that the other process cannot load: an untrained one, one made in a session."""


def register_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
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
    checkpoint = checkpoints.load(Path(folder))
    if checkpoint.digest != digest:
        raise NotSendable(f"{folder} has other weights by now")
    register_checkpoint(checkpoint, Path(folder))
    return checkpoint


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


def pack(thing: object) -> bytes:
    """What is sent for a thing.

    Raises:
        NotSendable: it refers to a model that is in no folder, or to a function or a value that cannot be pickled.
    """
    stream = io.BytesIO()
    try:
        _Pickler(stream, 5).dump(thing)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise NotSendable(str(error)) from error
    return stream.getvalue()


def unpack(content: bytes) -> Any:
    """The thing that was sent.

    Raises:
        NotSendable: a checkpoint has changed meanwhile, or this process does not know a function or a type of it.
    """
    try:
        return pickle.loads(content)
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise NotSendable(str(error)) from error
