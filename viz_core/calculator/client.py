"""The app's side of the calculator: starts the process, and asks it, with models sent as the names of their folders.

Both ends are processes of one program, and only they know the key of the connection; nothing from outside is ever unpickled.
"""

import io
import os
import pickle
import secrets
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from functools import lru_cache
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.progress import Progress
from viz_core.texts import language
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


Lane = Literal["pass", "long"]
"""Queues: passes of a sentence wait for one another, and long work for long work."""
TRIES, LIVED = 3, 10.0
"""After TRIES starts in a row that lived less than LIVED seconds, no further start is tried."""
FRUGAL = {
    "MALLOC_ARENA_MAX": "2",  # glibc: threads reuse each other's freed memory, and a result's arrays go back to the system,
    "MALLOC_MMAP_THRESHOLD_": "1000000",  # which saves a quarter of the memory
    "MALLOC_TRIM_THRESHOLD_": "8000000",
    "OMP_NUM_THREADS": "1",  # torch: one thread per pass, as in the app
}


class Unreachable(Exception):
    """The calculator is not running, or cannot take this call: compute it here."""


class Calculator:
    """One process, started when first needed; it ends with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._key, self._address, self._failed = secrets.token_bytes(), "", 0

    @property
    def ready(self) -> bool:
        """True once the process takes calls."""
        return bool(self._address)

    def start(self) -> None:
        """Starts the process, unless it runs or has failed too often. Returns at once; calls are taken some seconds later."""
        with self._lock:
            if self._process is not None or self._failed >= TRIES:
                return
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **FRUGAL}
            command = [sys.executable, "-m", "viz_core.calculator"]
            try:
                self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            except OSError:
                self._failed = TRIES
                return
            threading.Thread(target=self._watch, args=(self._process,), name="calculator", daemon=True).start()

    def rest(self) -> None:
        """Ends the process until it is started again; its unfinished calls are computed here."""
        with self._lock:
            self._address, process = "", self._process
        if process:
            process.kill()

    def stop(self) -> None:
        """Ends the process for good."""
        self._failed = TRIES
        self.rest()

    def call(self, lane: Lane, function: Callable[..., Any], *arguments: Any, report: Progress | None = None) -> Any:
        """`function(*arguments)`, computed by the process; a report is passed as `progress`, and its exceptions end the work.

        Raises:
            Unreachable: the process is not running, ends meanwhile, or lacks something that the call refers to.
        """
        try:
            kind, thing = self._asked(lane, pack((language(), function, arguments, report is not None)), report)
        except (NotSendable, EOFError, OSError, AuthenticationError) as error:
            raise Unreachable(str(error)) from error
        if kind == "result":
            return thing
        raise Unreachable(str(thing)) if isinstance(thing, NotSendable) else thing

    def _asked(self, lane: Lane, content: bytes, report: Progress | None) -> tuple[str, Any]:
        if not self.ready:
            raise Unreachable("not there")
        with Client(self._address, authkey=self._key) as pipe:
            pipe.send_bytes(lane.encode())
            pipe.send_bytes(content)
            while True:
                kind, thing = unpack(pipe.recv_bytes())
                if kind != "progress":
                    return kind, thing
                assert report
                report(*thing)

    def _watch(self, process: subprocess.Popen[str]) -> None:
        began = time.monotonic()
        with process:
            assert process.stdin and process.stdout
            try:
                process.stdin.write(self._key.hex() + "\n")
                process.stdin.flush()
                address = process.stdout.readline().strip()
            except OSError:  # it has ended already
                address = ""
            with self._lock:
                self._address = address
            process.wait()
        with self._lock:
            self._failed = self._failed + 1 if time.monotonic() - began < LIVED else self._failed if self._failed >= TRIES else 0
            self._process, self._address = None, ""
