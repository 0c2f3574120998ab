"""History of a training run: history.jsonl beside the weights."""

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from viz_core.errors import CheckpointError
from viz_core.files import read_bytes
from viz_core.training.settings import TrainSettings

FILE = "history.jsonl"
CARD = "CARD.md"
MAX_BYTES = 20_000_000  # far more than any of our training runs writes


@dataclass(frozen=True)
class History:
    """Logged loss and learning rate by step, and validation BLEU of the last weights and of their running average."""

    loss: tuple[tuple[int, float], ...]
    rate: tuple[tuple[int, float], ...]
    last: tuple[tuple[int, float], ...]
    averaged: tuple[tuple[int, float], ...]


def read(folder: Path) -> History | None:
    """The history of a checkpoint; None if it has none.

    Raises:
        CheckpointError: a line is not a measurement; the message names it.
    """
    path = folder / FILE
    try:
        lines = read_bytes(path, MAX_BYTES).decode().splitlines()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{path.name}: cannot be read ({getattr(error, 'strerror', None) or error})") from error
    entries = [_entry(line, f"{path.name}, line {number:,}") for number, line in enumerate(lines, 1) if line.strip()]
    history = History(*(_points(entries, name) for name in ("loss", "lr", "bleu_last", "bleu_averaged")))
    return history if history.loss else None


def recipe(folder: Path) -> str | None:
    """The first paragraph under "Recipe" in the checkpoint's card, or None."""
    _, heading, rest = _card(folder).partition("## Recipe\n")
    return " ".join(rest.strip().split("\n\n", 1)[0].split()) if heading else None


def smoothing(folder: Path) -> float | None:
    """Label smoothing ε, 0…1, from the training command in a checkpoint's card; None if the card has no such command."""
    command = re.search(r"^ *python -m viz_core train .*$", _card(folder), re.MULTILINE)
    if command is None:
        return None
    option = re.search(r"--smoothing[ =](0?\.\d+|0)\b", command[0])
    return float(option[1]) if option else TrainSettings.smoothing


def _card(folder: Path) -> str:
    """The checkpoint's card; empty if it has none."""
    try:
        return read_bytes(folder / CARD, MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError):
        return ""


def _entry(line: str, where: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
        numbers = isinstance(entry, dict) and all(
            isinstance(value, int | float) and math.isfinite(value) for value in entry.values()
        )
    except ValueError:
        numbers = False
    if not numbers or not isinstance(entry.get("step"), int):
        raise CheckpointError(f'{where}: expected numbers by name with a step among them, such as {{"step": 50, "loss": 8.9}}')
    return dict(entry)


def _points(entries: list[dict[str, Any]], name: str) -> tuple[tuple[int, float], ...]:
    return tuple((int(entry["step"]), float(entry[name])) for entry in entries if name in entry)
