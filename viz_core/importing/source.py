"""The folder of the model to import: its JSON files and tensors, read so that nothing in them can run."""

from __future__ import annotations

import json
import os
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
from viz_core.importing.unwrap import WeightsFiles, find_weights, is_safetensors, unwrapped
from viz_core.importing.weights_file import ADVICE, plain, read_pickle, read_safetensors, settings_of
from viz_core.tokenizer import Tokenizer

MOST_JSON, MOST_WEIGHTS = 100_000_000, 8_000_000_000  # bytes
MOST_NUMBER = 1e30  # JSON may hold whole numbers that are too large for a float
POINTER = b"version https://git-lfs"


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
        except UnicodeDecodeError as error:
            raise ImportFailed(f"{name}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from error
        except (ValueError, RecursionError) as error:
            raise ImportFailed(f"{name}: not JSON ({error})") from error

    def fields(self, name: str) -> Fields:
        """A JSON file with named fields."""
        return Fields(name, self.json(name))

    @cached_property
    def weights_file(self) -> str:
        """For messages: the name of the weights file, or of the index of several."""
        return self._weights_files.label

    @cached_property
    def _weights_files(self) -> WeightsFiles:
        return find_weights(self.folder, lambda name: self.fields(name).get("weight_map"))

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
        label, names, places = self._weights_files
        contents: Any = {}
        size = 0
        for name in names:
            content = self.bytes(name, MOST_WEIGHTS - size)
            size += len(content)
            read = (read_safetensors if is_safetensors(name, content) else read_pickle)(name, content)
            if len(names) > 1:  # a tensor in two files is that of the file which the index names
                own = read.items() if isinstance(read, Mapping) else ()
                read = contents | {key: value for key, value in own if key not in contents or places.get(key) == name}
            contents = read
        tensors = unwrapped(contents, lambda sentence: self.notes.append(f"{label}: {sentence}"))
        if not tensors:
            inside = f" of {type(next(iter(contents.values()))).__name__}" if isinstance(contents, dict) and contents else ""
            raise ImportFailed(f"{label}: holds {type(contents).__name__}{inside}, expected named tensors; {ADVICE}")
        return plain(tensors, label, size), settings_of(contents, label)

    def some_names(self) -> str:
        names = list(self.tensors)
        return ", ".join(names[:3]) + (f" and {len(names) - 3} others" if len(names) > 3 else "")


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
