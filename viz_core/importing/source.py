"""The folder of the model to import: its JSON files and tensors, read so that nothing in them can run."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.files import read_bytes
from viz_core.importing.unwrap import unwrapped
from viz_core.importing.weights_file import ADVICE, plain, read_pickle, read_safetensors, settings_of
from viz_core.tokenizer import Tokenizer

MOST_JSON, MOST_WEIGHTS = 100_000_000, 8_000_000_000  # bytes
MOST_NUMBER = 1e30  # JSON may hold whole numbers that are too large for a float
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
ENDINGS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt")
BESIDE = re.compile(r"optim|sched|scaler|training_args|rng|random_state")
"""Beginnings of the names of other files that a training run leaves beside the weights."""
POINTER = b"version https://git-lfs"
INDEX, SHARD, MOST_FILES = ".index.json", re.compile(r"(.+)-00001-of-(\d{5})(\..+)"), 1000
"""For weights in several files, such as model-00001-of-00002.safetensors, with model.safetensors.index.json beside them."""


@dataclass(frozen=True)
class Options:
    """Options of an import beside the folder.

    Attributes:
        source_language, target_language: codes; None for the folder's own.
        max_len: most positions to keep.
    """

    source_language: str | None = None
    target_language: str | None = None
    max_len: int = 128


@dataclass(frozen=True)
class Original:
    """A model as its own library computes it.

    Attributes:
        name: class and library, such as "MarianMTModel of transformers".
        logits: source ids (1, S) and the decoder's input (1, T) → (1, T, V).
    """

    name: str
    logits: Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Imported:
    """A model converted to ours.

    Attributes:
        weights: by the names of our parameters, a shared matrix once.
        tokenizer, source_tokenizer: as in `Checkpoint`.
        origin: the kind of model, for the card.
        original: builds the original library's model; ImportError if that is not installed. None: there is no library.
        notes: sentences for the user, such as which tensors were left out; from `Source.notes`.
    """

    config: ModelConfig
    weights: Mapping[str, Tensor]
    tokenizer: Tokenizer
    source_tokenizer: Tokenizer | None
    source_language: str
    target_language: str
    origin: str
    original: Callable[[], Original] | None = None
    notes: tuple[str, ...] = ()


class Source:
    """A folder; a missing file or field raises ImportFailed.

    Attributes:
        notes: sentences for the user, added while the folder is read.
    """

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self.options, self.notes = folder, options, list[str]()

    def has(self, name: str) -> bool:
        return os.path.lexists(self.folder / name)

    def bytes(self, name: str, most: int = MOST_JSON) -> bytes:
        try:
            content = read_bytes(self.folder / name, most)
        except FileNotFoundError:
            raise ImportFailed(f"{name}: missing in {self.folder}") from None
        except (OSError, ValueError) as error:  # a name with NUL is a ValueError
            raise ImportFailed(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
        if content.startswith(POINTER):
            raise ImportFailed(f"{name}: only a pointer of Git LFS to the file: `git lfs pull` in {self.folder} fetches it")
        return content

    def json(self, name: str, *, once: bool = False) -> Any:
        """The content of a JSON file. once: refuses duplicate field names in one object."""

        def pairs(entries: list[tuple[str, Any]]) -> dict[str, Any]:
            fields = dict(entries)
            if once and len(fields) < len(entries):
                twice = Counter(field for field, _ in entries).most_common(1)[0][0]
                raise ImportFailed(f"{name}: {twice!r} is there twice, and the later one hides the other; give one another name")
            return fields

        try:
            return json.loads(self.bytes(name), object_pairs_hook=pairs)
        except (ValueError, RecursionError) as error:
            raise ImportFailed(f"{name}: not JSON ({error})") from error

    def fields(self, name: str) -> Fields:
        """A JSON file with named fields."""
        return Fields(name, self.json(name))

    @cached_property
    def weights_file(self) -> str:
        """For messages: the name of the weights file, or of the index of several."""
        return self._weights_files[0]

    @cached_property
    def _weights_files(self) -> tuple[str, list[str]]:
        """The name of the weights for messages, and the files to read."""
        names = [name for name in WEIGHTS if self.has(name)][:1]
        index = sorted(path.name for path in self.folder.iterdir() if path.name.endswith(INDEX))
        if index and not names:
            return index[0], self._of_index(index[0])
        candidates = sorted(path.name for path in self.folder.iterdir() if path.suffix in ENDINGS)
        names = names or [name for name in candidates if not BESIDE.match(name)]
        if not names:
            raise ImportFailed(f"{self.folder}: no weights in it, expected {' or '.join(WEIGHTS)}, or a file {', '.join(ENDINGS)}")
        if shard := SHARD.fullmatch(names[0]):  # without an index
            names = [f"{shard[1]}-{i:05}-of-{shard[2]}{shard[3]}" for i in range(1, min(int(shard[2]), MOST_FILES) + 1)]
        elif len(names) > 1:
            raise ImportFailed(f"{self.folder}: {len(names)} files of weights ({', '.join(names[:4])}), expected one")
        return names[0], names

    def _of_index(self, index: str) -> list[str]:
        """The files that an index names."""
        places = self.fields(index).get("weight_map")
        if not isinstance(places, dict) or not places or not all(isinstance(name, str) for name in places.values()):
            raise ImportFailed(f"{index}: weight_map is missing, expected the file of each tensor")
        names = sorted(set(places.values()))
        for name in names:
            if "/" in name or "\\" in name or not name.endswith(ENDINGS):
                raise ImportFailed(f"{index}: {name!r} is not a file of weights in this folder")
        return names

    @property
    def tensors(self) -> dict[str, Tensor]:
        """All tensors of the weights files by name, unwrapped (`unwrap.py`)."""
        return self._read[0]

    @property
    def made_with(self) -> dict[str, Any]:
        """The settings of a pickled model's layers, see `weights_file.settings_of`."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        label, names = self._weights_files
        contents: Any = {}
        size = 0
        for name in names:
            content = self.bytes(name, MOST_WEIGHTS - size)
            size += len(content)
            read = (read_safetensors if _is_safetensors(name, content) else read_pickle)(name, content)
            contents = read if len(names) == 1 else contents | (read if isinstance(read, Mapping) else {})
        tensors = unwrapped(contents, lambda sentence: self.notes.append(f"{label}: {sentence}"))
        if not tensors:
            raise ImportFailed(f"{label}: holds {type(contents).__name__}, expected named tensors; {ADVICE}")
        return plain(tensors, label, size), settings_of(contents, label)

    def some_names(self) -> str:
        names = list(self.tensors)
        return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if len(names) > 3 else "")


def _is_safetensors(name: str, content: bytes) -> bool:
    """Judged by the first bytes, whatever the file's name; if they match neither format, by the name."""
    if content[8:9] == b"{" and not content.startswith(b"PK\x03\x04"):
        return True
    return name.endswith(".safetensors") and not content.startswith((b"PK\x03\x04", b"\x80\x02"))  # an archive, a pickle


class Fields:
    """Named fields of a JSON file."""

    def __init__(self, file: str, content: Any) -> None:
        if not isinstance(content, dict):
            raise ImportFailed(f"{file}: expected named fields, found {type(content).__name__}")
        self.file, self._content = file, content

    def names(self) -> frozenset[str]:
        return frozenset(map(str, self._content))

    def whole(self, name: str, default: int | None = None) -> int:
        value = self._content.get(name, default)
        if type(value) is not int or value < 0:
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected a whole number")
        return value

    def number(self, name: str, default: float) -> float:
        value = self._content.get(name, default)
        if type(value) not in (int, float) or not abs(value) < MOST_NUMBER:
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected a number")
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self._content.get(name, default)
        if type(value) is not bool:
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected true or false")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self._content.get(name, default)
        if not isinstance(value, str):
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected a text")
        return value

    def get(self, name: str) -> Any:
        return self._content.get(name)

    def one_of(self, name: str, choices: Mapping[str, str], default: str | None = None) -> str:
        """Our name for one of their choices."""
        value = self.text(name, default)
        if value not in choices:
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected {' or '.join(map(repr, choices))}")
        return choices[value]
