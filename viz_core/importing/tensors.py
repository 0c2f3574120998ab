"""What a weights file holds: its tensors, each in memory of its own, and how the layers of a pickled torch model were made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from viz_core.errors import ImportFailed, lacks_memory
from viz_core.importing.state_dict import Skipped

MOST_COPIES = 8  # times the size of the file


def read_safetensors(name: str, content: bytes) -> dict[str, Tensor]:
    """The tensors of a file by name; one that was saved under several names has them all.

    `safetensors.torch.save_model` keeps one name of a shared tensor, and the others in the metadata: name left out → name kept.
    """
    try:
        found = safetensors.torch.load(content)
        metadata = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")]).get("__metadata__") or {}
    except Exception as error:  # of a damaged file, or of numbers that torch does not have
        if lacks_memory(error):
            raise
        raise ImportFailed(f"{name}: not readable ({str(error) or type(error).__name__})") from error
    return found | {left: found[kept] for left, kept in metadata.items() if kept in found and left not in found}


def plain(tensors: Mapping[str, Tensor], file: str, size: int) -> dict[str, Tensor]:
    """The same tensors; those that share a part of their memory with others are copied, those that are the same stay the same.

    Args:
        size: of the file in bytes.

    Raises:
        ImportFailed: one is no plain tensor, or is said to be larger than the file.
    """
    found: dict[str, Tensor] = {}
    copies: dict[object, Tensor] = {}
    copied = 0
    for name, tensor in tensors.items():
        if tensor.is_meta or tensor.is_nested or tensor.is_quantized or tensor.layout != torch.strided:
            raise ImportFailed(f"{file}: {name} is not a plain tensor of numbers")
        if tensor.numel() > size:  # one number, said to be repeated a billion times
            raise ImportFailed(f"{file}: {name} is {tuple(tensor.shape)}, more than the {size:,} bytes of the file hold")
        found[name] = tensor.detach()
        if tensor.untyped_storage().nbytes() != tensor.nbytes:
            key = (tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype)
            if key not in copies:
                copied += tensor.nbytes
                if copied > MOST_COPIES * size:
                    raise ImportFailed(f"{file}: its tensors are larger than the {size:,} bytes of the file")
                copies[key] = tensor.detach().clone()
            found[name] = copies[key]
    return found


def settings_of(content: Any, file: str) -> dict[str, Any]:
    """Of a whole model: heads, norm_first, layer_norm_eps and activation of its torch.nn.Transformer, as import.json names them.

    Args:
        content: what the file holds; of anything but a pickled model nothing is found.

    Raises:
        ImportFailed: they are not the same in all layers.
    """
    found: dict[str, set[Any]] = {}
    for state, modules in _modules(content, {}):
        attention, norm = (_state(modules.get(name)) for name in ("self_attn", "norm1"))
        if "norm_first" not in state or "num_heads" not in attention:
            continue
        own = {"heads": attention["num_heads"], "norm_first": state["norm_first"], "layer_norm_eps": norm.get("eps")}
        for name, value in (own | {"activation": _activation(state.get("activation") or modules.get("activation"))}).items():
            if isinstance(value, str | int | float):
                found.setdefault(name, set()).add(value)
    for name, values in found.items():
        if len(values) > 1:
            some = ", ".join(sorted(map(str, values)))
            raise ImportFailed(f"{file}: the model's layers differ in {name} ({some}), expected the same in all")
    return {name: values.pop() for name, values in found.items()}


def _state(module: Any) -> Mapping[str, Any]:
    state = getattr(module, "state", None)
    return state if isinstance(state, Mapping) else {}


def _modules(content: Any, seen: dict[int, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The state of each pickled module, once, with the modules in it."""
    if id(content) in seen or len(seen) > 100_000:
        return
    seen[id(content)] = content
    if isinstance(content, Skipped):
        state, modules = _state(content), _state(content).get("_modules")
        if isinstance(modules, Mapping):
            yield state, modules
        content = state
    for each in content.values() if isinstance(content, Mapping) else content if isinstance(content, list | tuple) else ():
        if isinstance(each, Skipped | Mapping | list | tuple):
            yield from _modules(each, seen)


def _activation(value: Any) -> str | None:
    """The name of a function or of a module that is an activation, as torch takes it: relu, gelu, silu."""
    kind = value if isinstance(value, type) else type(value)
    if not issubclass(kind, Skipped):
        return None
    name, how = kind.__name__.rpartition(".")[2].lower(), _state(value).get("approximate", "none")
    return name if how == "none" else f"{name} ({how})"
