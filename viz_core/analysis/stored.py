"""Measurements stored as JSON beside a checkpoint: every value is checked on reading; errors name the file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from viz_core.errors import QUOTED, CheckpointError
from viz_core.files import read_bytes
from viz_core.trace import Doubles

T = TypeVar("T")


class WrongField(ValueError):
    """A field has a wrong value; the message names both."""


def read_file(path: Path, made_by: str, version: int, most_bytes: int, make: Callable[[dict[str, Any]], T]) -> T | None:
    """The contents of a file beside a checkpoint; None if there is no such file.

    Args:
        made_by, version: the required values of its fields `format` and `version`.
        make: builds the result from all fields; a missing field or one of the wrong type means that the file is damaged.

    Raises:
        CheckpointError: the file is damaged or not ours; the message says what is wrong.
    """
    name = path.name
    try:
        content = json.loads(read_bytes(path, most_bytes), parse_constant=_no_number)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"{name}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{name}: not JSON ({error}); the copy is incomplete or was changed") from error
    if not isinstance(content, dict) or content.get("format") != made_by:
        raise CheckpointError(f"{name}: not made by this program")
    if content.get("version") != version:
        raise CheckpointError(f"{name}: version {content.get('version')!r}, this program reads version {version}")
    try:
        return make(content)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        missing = f"{error.args[0]} is missing" if isinstance(error, KeyError) else "a field has the wrong type"
        wrong = str(error) if isinstance(error, WrongField) else missing
        raise CheckpointError(f"{name}: {wrong[:QUOTED]}; the copy is incomplete or was changed") from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def text(fields: dict[str, Any], name: str, longest: int = 1000) -> str:
    """Text that is not blank and can be encoded: no unpaired surrogate."""
    value = fields[name]
    if not isinstance(value, str) or not value.strip() or len(value) > longest or value != value.encode(errors="replace").decode():
        raise WrongField(f"{name} is {value!r:.40}, expected a text of up to {longest:,} characters")
    return value


def whole(fields: dict[str, Any], name: str, least: int, most: int = 10**9) -> int:
    value = fields[name]
    if type(value) is not int or not least <= value <= most:
        raise WrongField(f"{name} is {value!r:.40}, expected a whole number from {least:,} to {most:,}")
    return value


def number(fields: dict[str, Any], name: str, least: float, most: float) -> float:
    return float(table(fields, name, least, most, ()))


def table(fields: dict[str, Any], name: str, least: float, most: float, shape: tuple[int, ...]) -> Doubles:
    """Numbers in a range, of the given shape."""
    numbers = np.array(fields[name])
    if numbers.dtype.kind not in "if" or numbers.shape != shape:
        raise WrongField(f"{name} is {fields[name]!r:.40}, expected {shape} numbers, one for each head of this model")
    if not ((numbers >= least) & (numbers <= most)).all():
        raise WrongField(f"{name} is {fields[name]!r:.40}, expected numbers from {least:g} to {most:g}")
    return numbers.astype(np.float64)
