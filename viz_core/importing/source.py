"""The folder that a model is read from: its JSON files and its tensors, read so that nothing in them can run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.files import read_bytes
from viz_core.importing.state_dict import read_state_dict
from viz_core.tokenizer import Tokenizer

MOST_JSON, MOST_WEIGHTS = 100_000_000, 8_000_000_000  # bytes
MOST_NUMBER = 1e30  # JSON may hold whole numbers that are too large for a float
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
ENDINGS = (".safetensors", ".pt", ".pth", ".bin", ".ckpt")


@dataclass(frozen=True)
class Options:
    """What is asked for beside the folder.

    Attributes:
        source_language, target_language: codes; None for what the folder says.
        max_len: positions that are kept, at most.
    """

    source_language: str | None = None
    target_language: str | None = None
    max_len: int = 128


@dataclass(frozen=True)
class Original:
    """A model as its own library computes it.

    Attributes:
        name: of the class and its library, such as "MarianMTModel of transformers".
        logits: of source ids (1, S) and the decoder's input (1, T), (1, T, V).
    """

    name: str
    logits: Callable[[Tensor, Tensor], Tensor]


@dataclass(frozen=True, eq=False)
class Imported:
    """A model as ours.

    Attributes:
        weights: by the names of our parameters, a shared matrix once.
        tokenizer, source_tokenizer: as in `Checkpoint`.
        origin: what it was, for the card.
        original: builds the model of the original library; ImportError where that is not installed. None: there is no library.
        notes: sentences for the user, such as what was left out; `Source.notes`.
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
    """A folder; whatever is asked of it and is not there raises ImportFailed.

    Attributes:
        notes: sentences for the user, which what reads the folder adds.
    """

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self.options, self.notes = folder, options, list[str]()

    def has(self, name: str) -> bool:
        return os.path.lexists(self.folder / name)

    def bytes(self, name: str, most: int = MOST_JSON) -> bytes:
        try:
            return read_bytes(self.folder / name, most)
        except FileNotFoundError:
            raise ImportFailed(f"{name}: missing in {self.folder}") from None
        except (OSError, ValueError) as error:  # a name with NUL is a ValueError
            raise ImportFailed(f"{name}: cannot be read ({getattr(error, 'strerror', None) or error})") from error

    def json(self, name: str) -> Any:
        try:
            return json.loads(self.bytes(name))
        except (ValueError, RecursionError) as error:
            raise ImportFailed(f"{name}: not JSON ({error})") from error

    def fields(self, name: str) -> Fields:
        """A file of JSON that holds named fields."""
        return Fields(name, self.json(name))

    @cached_property
    def weights_file(self) -> str:
        found = [name for name in WEIGHTS if self.has(name)]
        found = found or sorted(path.name for path in self.folder.iterdir() if path.suffix in ENDINGS)
        if not found:
            raise ImportFailed(f"{self.folder}: no weights in it, expected {' or '.join(WEIGHTS)}, or a file {', '.join(ENDINGS)}")
        if len(found) > 1 and found[0] not in WEIGHTS:
            raise ImportFailed(f"{self.folder}: {len(found)} files of weights ({', '.join(found[:4])}), expected one")
        return found[0]

    @cached_property
    def tensors(self) -> dict[str, Tensor]:
        """All tensors of the file of weights, by name."""
        content = self.bytes(self.weights_file, MOST_WEIGHTS)
        if self.weights_file.endswith(".safetensors"):
            try:
                return safetensors.torch.load(content)
            except (SafetensorError, ValueError, KeyError) as error:
                raise ImportFailed(f"{self.weights_file}: not readable ({error})") from error
        return read_state_dict(self.weights_file, content)

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
        """What a choice of theirs is with us."""
        value = self.text(name, default)
        if value not in choices:
            raise ImportFailed(f"{self.file}: {name} is {value!r}, expected {' or '.join(map(repr, choices))}")
        return choices[value]
