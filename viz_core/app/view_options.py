"""What a page shows of the browser-side parts, beside step, layer and head: as it stands in a link, and as the store has it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from viz_core.trace import Kind

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "stage": ("softmax", "scores", "scaled", "mask", "mix"),
    "show": ("one", "mean", "layer", "model"),
    "form": ("matrix", "lines", "neurons"),
    "unit": ("tokens", "words"),
    "scale": ("linear", "log"),
    "order": ("sentence", "weight"),
    "specials": ("show", "hide"),
    "top": ("10", "5", "20"),
    "open": ("", "embedding", "encoder", "encoder_ffn", "memory", "masked", "cross", "ffn", "softmax"),
}
"""What each may be; the first is the default."""
ATTENTIONS: Mapping[str, Kind] = {"encoder": "self", "masked": "masked", "cross": "cross"}
"""The blocks that open into the stage of an attention."""
TEMPERATURES = (0.1, 5.0)
_CELL = re.compile(r"(\d{1,4})-(\d{1,4})")


@dataclass(frozen=True)
class ViewOptions:
    """The choices of one page. cell is (query, key), counted from 0, or None while none is locked."""

    stage: str = "softmax"
    show: str = "one"
    form: str = "matrix"
    unit: str = "tokens"
    scale: str = "linear"
    order: str = "sentence"
    specials: str = "show"
    top: str = "10"
    open: str = ""
    cell: tuple[int, int] | None = None
    temperature: float = 1.0

    def link(self) -> dict[str, str]:
        """What differs from the default, as parameters of a link; the cell counts from 1."""
        named = {name: str(value) for name, value in asdict(self).items() if value != getattr(DEFAULT, name)}
        if self.cell is not None:
            named["cell"] = f"{self.cell[0] + 1}-{self.cell[1] + 1}"
        if "temperature" in named:
            named["temperature"] = f"{self.temperature:g}"
        return named


DEFAULT = ViewOptions()
Stage = Kind | Literal["open"] | None
"""Whose stages a page shows: one attention's, those of the open block, or none's."""
NAMES = tuple(field.name for field in fields(ViewOptions))


def staged(stage: Stage, look: ViewOptions) -> Kind | None:
    """The attention whose stages are on the page."""
    return ATTENTIONS.get(look.open) if stage == "open" else stage


def from_link(parameters: Mapping[str, str]) -> tuple[ViewOptions, list[str]]:
    """The look that a link asks for, and the names of the parameters that it cannot have; those stay at the default."""
    values: dict[str, Any] = {}
    wrong = []
    for name in NAMES:
        if name not in parameters:
            continue
        value = _read(name, parameters[name])
        if value is None:
            wrong.append(name)
        else:
            values[name] = value
    return ViewOptions(**values), wrong


def from_store(values: Mapping[str, Any]) -> ViewOptions:
    """The look that a browser sent; whatever it cannot be stays at the default."""
    read: dict[str, Any] = {}
    for name in NAMES:
        value = values.get(name)
        if name == "cell" and isinstance(value, list) and [type(index) for index in value] == [int, int]:
            read[name] = (value[0], value[1]) if 0 <= min(value) <= max(value) < 10_000 else None
        elif name == "temperature" and isinstance(value, int | float):
            read[name] = _read(name, str(value))
        elif isinstance(value, str) and name != "cell":
            read[name] = _read(name, value)
    return ViewOptions(**{name: value for name, value in read.items() if value is not None})


def _read(name: str, text: str) -> Any:
    if name == "cell":
        found = _CELL.fullmatch(text)
        cell = (int(found[1]) - 1, int(found[2]) - 1) if found else (-1, -1)
        return cell if min(cell) >= 0 else None
    if name == "temperature":
        try:
            value = float(text)
        except ValueError:
            return None
        return min(max(value, TEMPERATURES[0]), TEMPERATURES[1]) if math.isfinite(value) else None
    return text if text in OPTIONS[name] else None
