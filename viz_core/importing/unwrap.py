"""The tensors of one model: found in the files of a folder, and unwrapped from whatever training code put around them.

A model is one file of weights, or several parts, with or without an index. A file may hold the tensors inside dictionaries, lists
or a whole pickled module, beside those of an optimizer and others; and their names may begin with those of modules around the
model, such as `module.` for several GPUs. All formats are unwrapped alike, by the tensors' names alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from torch import Tensor
from torch.nn import Parameter

from viz_core.errors import ImportFailed
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


WEIGHTS = ("model.safetensors", "pytorch_model.bin")
ENDINGS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt")
BESIDE = re.compile(r"optim|sched|scaler|training_args|rng|random_state")
"""Beginnings of the names of other files that a training run leaves beside the weights."""
OTHERS = (".h5", ".msgpack", ".onnx", ".gguf", ".npz", ".gz", ".distcp")
INDEX, SHARD, MOST_FILES = ".index.json", re.compile(r"(.+)-\d{5}-of-(\d{5})(\..+)"), 1000
"""For weights in several files, such as model-00001-of-00002.safetensors, with model.safetensors.index.json beside them."""


class WeightsFiles(NamedTuple):
    """The files to read.

    Attributes:
        label: for messages, the name of the file, or of the index of several.
        places: the file of each tensor, from the index; empty without one.
    """

    label: str
    names: list[str]
    places: dict[str, str]


def find_weights(folder: Path, read_index: Callable[[str], Any]) -> WeightsFiles:
    """Looks for the usual names, then for an index, a usual ending, and at the first bytes.

    Args:
        read_index: the weight_map of an index, from its name.

    Raises:
        ImportFailed: there are none, or several that are not parts of one model.
    """
    beside = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))  # such as ._best.pt of macOS
    names = [name for name in WEIGHTS if name in beside][:1]
    index = next((name for name in beside if name.endswith(INDEX)), "")
    if index and not names:
        return _of_index(index, read_index(index), beside)
    names = names or [name for name in beside if name.endswith(ENDINGS) and not BESIDE.match(name)]
    names = names or [name for name in beside if _holds_tensors(folder / name)]  # such as best.pth.tar
    if not names:
        below = sorted({path.parent.name for path in folder.glob("*/*") if path.name.endswith(ENDINGS)})
        others = below or [name for name in beside if name.endswith(OTHERS)]
        hint = f"; {others[0]}{' holds some' if below else ' is none of these'}" if others else ""
        raise ImportFailed(f"{folder}: no weights in it, expected {' or '.join(WEIGHTS)}, or a file {', '.join(ENDINGS)}{hint}")
    if len(names) > 1 and not SHARD.fullmatch(names[0]):
        way_out = "move the others elsewhere, or save parts of one model together, with torch.save(model.state_dict(), …)"
        raise ImportFailed(f"{folder}: {len(names)} files of weights ({', '.join(names[:4])}), expected one: {way_out}")
    return WeightsFiles(names[0], _parts(names[0]), {})


def _of_index(index: str, places: Any, beside: list[str]) -> WeightsFiles:
    """The files that an index names."""
    if not isinstance(places, dict) or not places or not all(isinstance(name, str) for name in places.values()):
        raise ImportFailed(f"{index}: weight_map is missing, expected the file of each tensor")
    names = sorted(set(places.values()))
    for name in names:
        if "/" in name or "\\" in name or not name.endswith(ENDINGS):
            raise ImportFailed(f"{index}: {name!r} is not a file of weights in this folder")
    if left := [name for name in _parts(names[0]) if name not in names and name in beside]:
        raise ImportFailed(f"{index}: does not name {left[0]}, which lies beside it; without this index, all files are read")
    return WeightsFiles(index, names, places)


def _parts(name: str) -> list[str]:
    """The names of all files of a model, from that of one, such as model-00001-of-00002.bin."""
    shard = SHARD.fullmatch(name)
    return [f"{shard[1]}-{i:05}-of-{shard[2]}{shard[3]}" for i in range(1, min(int(shard[2]), MOST_FILES) + 1)] if shard else [name]


def _holds_tensors(path: Path) -> bool:
    """Judged by the first bytes of a file with any ending."""
    if not path.is_file() or path.name.endswith(OTHERS) or BESIDE.match(path.name):
        return False
    with path.open("rb") as file:
        head = file.read(9)
    return head.startswith((b"PK\x03\x04", b"\x80\x02")) or is_safetensors("", head)


def is_safetensors(name: str, content: bytes) -> bool:
    """Judged by the first bytes, whatever the file's name; if they match neither format, by the name."""
    if content[8:9] == b"{" and not content.startswith(b"PK\x03\x04"):
        return True
    return name.endswith(".safetensors") and not content.startswith((b"PK\x03\x04", b"\x80\x02"))  # an archive, a pickle
