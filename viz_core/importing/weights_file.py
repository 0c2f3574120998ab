"""Reads a weights file, safetensors or a torch pickle, without running any of it; and the arguments of a pickled model."""

import io
import json
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from viz_core.errors import ImportFailed, lacks_memory

CODE = re.compile(r"GLOBAL (\S+)")  # torch's message about the class or function that a pickle would call
UNKNOWN = re.compile(r"Unsupported global: GLOBAL (\S+) was not an allowed global")
MOST_CLASSES = 500
ADVICE = "only tensors are read: save them alone, with torch.save(model.state_dict(), …)"


class Skipped:
    """Stands for an object of any class in a pickle, under its name; keeps the state of a pickled module."""

    state: Any = None

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return object.__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _SkippedDict:
    """Stands for a subclass of dict, whose entries are read."""

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return {}


class _SkippedList:
    def __new__(cls, *_: Any, **__: Any) -> Any:
        return []


def read_pickle(name: str, content: bytes) -> Any:
    """The contents of a file: tensors, lists and dictionaries of them, and `Skipped` in place of all other objects.

    Args:
        name: of the file, for error messages.

    Raises:
        ImportFailed: the file is damaged, or opening it would run code.
    """
    try:
        _require_stored(content)
        known = dict(_classes(content))
        while True:
            try:
                return _load(content, known)
            except Exception as error:
                unknown = UNKNOWN.search(str(error))  # in files of old torch versions, whose classes cannot be listed beforehand
                if not unknown or unknown[1] in known or len(known) >= MOST_CLASSES:
                    raise
                for class_name in (unknown[1], f"builtins.{unknown[1]}"):
                    known[class_name] = _stub(class_name)
    except Exception as error:  # whatever torch raises for a file that is damaged or not its own
        if lacks_memory(error):
            raise
        raise ImportFailed(f"{name}: {_reason(error)}; {ADVICE}") from error


def _load(content: bytes, known: dict[str, type]) -> Any:
    with warnings.catch_warnings(action="ignore"), torch.serialization.safe_globals([(stub, name) for name, stub in known.items()]):
        return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)


def _classes(content: bytes) -> list[tuple[str, type]]:
    """The classes and functions in a pickle that torch refuses to load, each with its stub."""
    try:
        names = torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(content))
    except Exception:  # not an archive, or a damaged one: loading it says which
        return []
    return [(name, _stub(name)) for name in names[:MOST_CLASSES]]


def _stub(name: str) -> type:
    if name == "collections.deque":
        return _SkippedList
    derived = name.lower().endswith("dict") and not name.startswith(("torch.nn.", "collections.User"))
    return _SkippedDict if derived else type(name, (Skipped,), {})


def _require_stored(content: bytes) -> None:
    """Refuses files that torch.save did not write. It never compresses, so a small archive cannot unpack to fill the memory."""
    if content.lstrip()[:1] == b"<":
        raise ValueError("a web page, which the server sent in its place")
    if content.startswith(b"\x1f\x8b"):
        raise ValueError("packed with gzip: unpack it first")
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if any("/code/" in entry.filename for entry in archive.infolist()):
                raise ValueError("a program of TorchScript")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in archive.infolist()):
                raise ValueError("a compressed archive")


def _reason(error: Exception) -> str:
    """The reason in a few words, since torch gives it at length, with advice to switch off its safeguards."""
    message = str(error)
    if "Only persistent_load of storage" in message:
        return "a whole model, as old versions of torch saved them"
    if match := CODE.search(message):
        return f"to open it would run code ({match[1]})"
    line = "" if message.startswith("Weights only load failed") else message.partition("\n")[0].partition(". ")[0]
    return f"not a whole file of weights ({line or type(error).__name__})"


MOST_COPIES = 8  # times the size of the file


def read_safetensors(name: str, content: bytes) -> dict[str, Tensor]:
    """The tensors of a file by name, shared ones under all their names.

    `safetensors.torch.save_model` keeps one name of a shared tensor, and the others in the metadata: name left out → name kept.
    """
    try:
        tensors = safetensors.torch.load(content)
        metadata = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")]).get("__metadata__") or {}
    except Exception as error:  # for a damaged file, or types of numbers that torch lacks
        if lacks_memory(error):
            raise
        raise ImportFailed(f"{name}: not readable ({str(error) or type(error).__name__})") from error
    return tensors | {left: tensors[kept] for left, kept in metadata.items() if kept in tensors and left not in tensors}


def plain(tensors: Mapping[str, Tensor], file: str, size: int) -> dict[str, Tensor]:
    """The same tensors, with views of parts of a storage copied; equal views share one copy.

    Args:
        size: of the file in bytes.

    Raises:
        ImportFailed: one is not a plain tensor, or claims to be larger than the file.
    """
    plain_tensors: dict[str, Tensor] = {}
    copies: dict[object, Tensor] = {}
    copied = 0
    for name, tensor in tensors.items():
        if tensor.is_meta or tensor.is_nested or tensor.is_quantized or tensor.layout != torch.strided:
            raise ImportFailed(f"{file}: {name} is not a plain tensor of numbers")
        if tensor.numel() > size:  # such as one number, expanded a billion times
            raise ImportFailed(f"{file}: {name} is {tuple(tensor.shape)}, more than the {size:,} bytes of the file hold")
        plain_tensors[name] = tensor.detach()
        if tensor.untyped_storage().nbytes() != tensor.nbytes:
            key = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype)
            if key not in copies:
                copied += tensor.nbytes
                if copied > MOST_COPIES * size:
                    raise ImportFailed(f"{file}: its tensors are larger than the {size:,} bytes of the file")
                copies[key] = tensor.detach().clone()
            plain_tensors[name] = copies[key]
    return plain_tensors


def settings_of(content: Any, file: str) -> dict[str, Any]:
    """Heads, norm_first, layer_norm_eps and activation of a pickled model's torch.nn.Transformer, as import.json names them.

    Args:
        content: of the file; empty for anything but a pickled model.

    Raises:
        ImportFailed: layers differ in them.
    """
    values_of: dict[str, set[Any]] = {}
    for state, modules in _modules(content, {}):
        attention, norm = (_state(modules.get(name)) for name in ("self_attn", "norm1"))
        if "norm_first" not in state or "num_heads" not in attention:
            continue
        own = {"heads": attention["num_heads"], "norm_first": state["norm_first"], "layer_norm_eps": norm.get("eps")}
        for name, value in (own | {"activation": _activation(state.get("activation") or modules.get("activation"))}).items():
            if isinstance(value, str | int | float):
                values_of.setdefault(name, set()).add(value)
    for name, values in values_of.items():
        if len(values) > 1:
            some = ", ".join(sorted(map(str, values)))
            raise ImportFailed(f"{file}: the model's layers differ in {name} ({some}), expected the same in all")
    return {name: values.pop() for name, values in values_of.items()}


def _state(module: Any) -> Mapping[str, Any]:
    state = getattr(module, "state", None)
    return state if isinstance(state, Mapping) else {}


def _modules(content: Any, seen: dict[int, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The state of each pickled module, once, with its submodules."""
    if id(content) in seen or len(seen) > 100_000:
        return
    seen[id(content)] = content
    if isinstance(content, Skipped):
        state, modules = _state(content), _state(content).get("_modules")
        if isinstance(modules, Mapping):
            yield state, modules
        content = state
    for value in content.values() if isinstance(content, Mapping) else content if isinstance(content, list | tuple) else ():
        if isinstance(value, Skipped | Mapping | list | tuple):
            yield from _modules(value, seen)


def _activation(value: Any) -> str | None:
    """The name of an activation function or module, as torch takes it: relu, gelu, silu."""
    kind = value if isinstance(value, type) else type(value)
    if not issubclass(kind, Skipped):
        return None
    name, how = kind.__name__.rpartition(".")[2].lower(), _state(value).get("approximate", "none")
    return name if how == "none" else f"{name} ({how})"
