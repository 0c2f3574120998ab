"""Files that torch saved, which are pickles: only tensors are read, and nothing that the file would run."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from typing import Any

import torch

from viz_core.errors import ImportFailed, lacks_memory

CODE = re.compile(r"GLOBAL (\S+)")  # how torch names the class or function that a pickle would call
UNKNOWN = re.compile(r"Unsupported global: GLOBAL (\S+) was not an allowed global")
MOST_CLASSES = 500
ADVICE = "only tensors are read: save them alone, with torch.save(model.state_dict(), …)"


class Skipped:
    """Stands for an object of any class that a pickle names, under that name; of a pickled module it keeps the state."""

    state: Any = None

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return object.__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _SkippedDict:
    """Stands for a class derived from dict, whose entries are read."""

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return {}


class _SkippedList:
    def __new__(cls, *_: Any, **__: Any) -> Any:
        return []


def read_pickle(name: str, content: bytes) -> Any:
    """What a file holds: tensors, lists and dictionaries of them, and `Skipped` in place of all other objects.

    Args:
        name: of the file, for error messages.

    Raises:
        ImportFailed: it is damaged, or would run a program to be opened.
    """
    try:
        _require_stored(content)
        known = dict(_classes(content))
        while True:
            try:
                return _load(content, known)
            except Exception as error:
                unknown = UNKNOWN.search(str(error))  # in files of old versions of torch, which cannot be asked beforehand
                if not unknown or unknown[1] in known or len(known) >= MOST_CLASSES:
                    raise
                for each in (unknown[1], f"builtins.{unknown[1]}"):
                    known[each] = _stub(each)
    except Exception as error:  # whatever torch raises where a file is no whole one of its own
        if lacks_memory(error):
            raise
        raise ImportFailed(f"{name}: {_reason(error)}; {ADVICE}") from error


def _load(content: bytes, known: dict[str, type]) -> Any:
    with warnings.catch_warnings(action="ignore"), torch.serialization.safe_globals([(it, name) for name, it in known.items()]):
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)


def _classes(content: bytes) -> list[tuple[str, type]]:
    """The classes and functions that the pickle names and torch does not open, with what stands for each."""
    try:
        found = torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content))
    except Exception:  # no archive, or a damaged one: loading it says which
        return []
    return [(each, _stub(each)) for each in found[:MOST_CLASSES]]


def _stub(name: str) -> type:
    if name == "collections.deque":
        return _SkippedList
    derived = name.lower().endswith("dict") and not name.startswith(("torch.nn.", "collections.User"))
    return _SkippedDict if derived else type(name, (Skipped,), {})


def _require_stored(content: bytes) -> None:
    """Torch does not compress its archives; a small one that unpacks to more than the memory is none of its own."""
    if content.lstrip()[:1] == b"<":
        raise ValueError("a web page, which the server sent in its place")
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if any("/code/" in each.filename for each in archive.infolist()):
                raise ValueError("a program of TorchScript")
            if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
                raise ValueError("a compressed archive")


def _reason(error: Exception) -> str:
    """What stands in the way, in a few words: torch says it at length, with advice to switch the safety off."""
    message = str(error)
    if "Only persistent_load of storage" in message:
        return "a whole model, as old versions of torch saved them"
    if found := CODE.search(message):
        return f"to open it would run code ({found[1]})"
    line = "" if message.startswith("Weights only load failed") else message.partition("\n")[0].partition(". ")[0]
    return f"not a whole file of weights ({line or type(error).__name__})"
