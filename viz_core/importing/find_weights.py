"""Finds the files of weights in a folder: one, or the parts of one model, with or without an index."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from viz_core.errors import ImportFailed

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
