"""The tensors of one model, however training code has wrapped them: one unwrapping for all formats, by the tensors' names alone.

A file may hold them inside dictionaries, lists or a whole pickled module, beside those of an optimizer and others; and their names
may begin with those of modules around the model, such as `module.` for several GPUs.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from torch import Tensor
from torch.nn import Parameter

from viz_core.importing.weights_file import Skipped

AROUND = re.compile(r"(?<![^.])(?:module|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.")
"""Modules that only wrap another one, at any depth: for several GPUs, torch.compile, sharded training."""
OPTIMIZER = frozenset(["exp_avg", "exp_avg_sq", "momentum_buffer", "square_avg"])
LOSS = re.compile(r"(?:^|\.)(?:criterion|loss|loss_fn|loss_func|loss_function|metrics?)\.")
COPY = re.compile(r"ema|shadow|averag|swa|teacher|momentum|old|best|initial", re.IGNORECASE)
CROSS = re.compile(r"(?:^|\.)(?:multihead_attn|src_attn|encoder_attn|src_trg_att|context_attn|cross_attn|cross_attention)\.")
LAYER = re.compile(r"^(.*?)(?:^|\.)\d+\..*att", re.IGNORECASE)
NAMED = ([str, Tensor], [str, Parameter])  # a pair of `named_parameters`
DEEPEST, OFTEN = 20, 8
"""Most levels of dictionaries, lists and modules; and how often one may occur in others, lest a small file never end."""


def unwrapped(content: Any, note: Callable[[str], None] = lambda _: None) -> dict[str, Tensor]:
    """The named tensors of one model, without the common prefix of their names; empty if there are none.

    Args:
        content: of a file.   note: called with a sentence about what was left out.
    """
    tensors = {".".join(path): tensor for path, tensor in _named(content, (), Counter())}
    short = {AROUND.sub("", name): tensor for name, tensor in tensors.items()}
    if len(short) == len(tensors):  # otherwise names would clash
        tensors = short
    tensors = {name: tensor for name, tensor in tensors.items() if not LOSS.search(name)}
    while (chosen := _deeper(tensors, note)) is not None:
        tensors = {name.removeprefix(chosen): tensor for name, tensor in tensors.items() if name.startswith(chosen)}
    return tensors


def _deeper(tensors: Mapping[str, Tensor], note: Callable[[str], None]) -> str | None:
    """The common prefix of the names of the model's weights, with the dot; None if there is none."""
    weights = [name for name, tensor in tensors.items() if tensor.is_floating_point() and tensor.dim()] or list(tensors)
    heads = list(dict.fromkeys(name[: name.find(".") + 1] for name in weights))  # "" of a name without a dot
    if len(heads) == 1:
        return (heads[0] or None) if len(weights) > 1 else None
    whole = [head for head in heads if head and _has_both_stacks(n[len(head) :] for n in weights if n.startswith(head))]
    if not whole:
        return None
    chosen = next((head for head in whole if not COPY.search(head)), whole[0])
    rest = [name for name in weights if not name.startswith(tuple(whole))]
    if len(whole) == 1 and any(tensors[name].dim() > 1 for name in rest):  # parts of the model, such as its embeddings
        return None
    if len(whole) > 1:
        names = ", ".join(head[:-1] for head in whole)
        note(f"the file holds {len(whole)} models ({names}); read is {chosen[:-1]}, and to read another one save it alone")
    elif rest:
        note(f"left out, since they lie beside the model {chosen[:-1]}: {', '.join(rest[:3])}")
    return chosen


def _has_both_stacks(names: Iterator[str]) -> bool:
    """True if some layers have cross attention, as in a decoder, and layers elsewhere do not, as in an encoder."""
    stacks: dict[str, bool] = {}
    for name in names:
        if layer := LAYER.match(name):
            stacks[layer[1]] = stacks.get(layer[1], False) or CROSS.search(name) is not None
    return len(set(stacks.values())) == 2


def _named(content: Any, path: tuple[str, ...], seen: Counter[int]) -> Iterator[tuple[tuple[str, ...], Tensor]]:
    """Every tensor in a dictionary under a text key, with the path to it, except an optimizer's."""
    if not isinstance(content, Skipped | Mapping | list | tuple):
        return
    seen[id(content)] += 1
    if len(path) > DEEPEST or seen[id(content)] > OFTEN:
        return
    if isinstance(content, Skipped):
        content = _state(content)
    elif isinstance(content, list | tuple):
        named = bool(content) and all(isinstance(pair, tuple) and [*map(type, pair)] in NAMED for pair in content)
        content = dict(content) if named else {str(n): value for n, value in enumerate(content) if not isinstance(value, Tensor)}
    if OPTIMIZER.isdisjoint(content):
        for key, value in content.items():
            if not isinstance(value, Tensor):
                if key == "state" and isinstance(value, Mapping) and any(isinstance(number, int) for number in value):
                    continue  # an optimizer's, under the numbers of its parameters
                yield from _named(value, (*path, str(key)), seen)
            elif isinstance(key, str):
                yield (*path, key), value


def _state(content: Skipped) -> dict[Any, Any]:
    """Parameters, buffers and modules of a pickled module, as in its state dict; for other objects, their fields."""
    state = content.state
    if not isinstance(state, Mapping) or not isinstance(state.get("_modules"), Mapping):
        return {"state": state}
    parts = [state.get(kind) for kind in ("_parameters", "_buffers", "_modules")]
    without = state.get("_non_persistent_buffers_set") or ()
    return {key: value for part in parts if isinstance(part, Mapping) for key, value in part.items() if key not in without}
