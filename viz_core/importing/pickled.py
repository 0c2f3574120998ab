"""How torch's layers in a pickled model were made: what a state dict does not say, such as the number of heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from viz_core.errors import ImportFailed
from viz_core.importing.state_dict import Skipped


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
