"""What a page shows: the sentence and the place in the model; and of the browser-side parts, as a link and as the store has it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from viz_core.app.answers import Sentence
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import ExplainedStep, Explanation
from viz_core.trace import Kind, Trace

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "stage": ("softmax", "scores", "scaled", "mask", "mix"),
    "show": ("one", "mean", "layer", "model"),
    "form": ("matrix", "lines", "neurons"),
    "unit": ("tokens", "words"),
    "scale": ("linear", "log"),
    "order": ("sentence", "weight"),
    "specials": ("show", "hide"),
    "axis": ("linear", "log", "logit"),
    "top": ("10", "5", "20"),
    "drawing": ("flow", "paper"),
    "open": (
        *("", "embedding", "encoder_qkv", "encoder", "encoder_out", "encoder_ffn", "memory"),
        *("masked_qkv", "masked", "masked_out", "cross_qkv", "cross", "cross_out", "ffn", "softmax"),
    ),
}
"""What each may be; the first is the default."""
ATTENTIONS: Mapping[str, Kind] = {"encoder": "self", "masked": "masked", "cross": "cross"}
"""The blocks that open into the stage of an attention."""
TEMPERATURES = (0.1, 5.0)
_CELL = re.compile(r"(\d{1,4})-(\d{1,4})")
_FROM_1 = re.compile(r"[1-9]\d{0,5}")
_noted: ContextVar[set[str] | None] = ContextVar("noted", default=None)


class Watched:
    """What a browser-side part may change; `reading` notes which of its values are read."""

    def __getattribute__(self, name: str) -> Any:
        if (noted := _noted.get()) is not None:
            noted.add(name)
        return super().__getattribute__(name)


@contextmanager
def reading() -> Iterator[set[str]]:
    """Notes which values of the view, and of its options, are read meanwhile: what is drawn of them must follow them.

    What an inner `reading` notes, the outer one does not.
    """
    found: set[str] = set()
    token = _noted.set(found)
    try:
        yield found
    finally:
        _noted.reset(token)


@contextmanager
def unwatched() -> Iterator[None]:
    """Around what need not follow the view, such as what a download is made of: opening the downloads asks for a run."""
    token = _noted.set(None)
    try:
        yield
    finally:
        _noted.reset(token)


@dataclass(frozen=True, eq=False)
class View(Watched):
    """The sentence and the place in the model that every page shows. step, layer, head and token count from 0.

    get_checkpoint, get_explanation: a session holds its view, but not the model and the numbers, see `Recalled`.
    token: of the source, the one that the pages of the encoder look at.
    sentence: what both are of, as an address names it.
    """

    get_checkpoint: Callable[[], Checkpoint]
    get_explanation: Callable[[], Explanation]
    step: int
    layer: int
    head: int
    token: int = 0
    sentence: Sentence | None = None

    def place(self, side: str) -> int:
        """Index of the token that is looked at: of the source the chosen one, of the target the one that this step reads."""
        return self.token if side == "source" else self.step

    @property
    def checkpoint(self) -> Checkpoint:
        return self.get_checkpoint()

    @property
    def explanation(self) -> Explanation:
        return self.get_explanation()

    @property
    def config(self) -> ModelConfig:
        return self.checkpoint.config

    @property
    def trace(self) -> Trace:
        return self.explanation.trace

    @property
    def source(self) -> list[str]:
        """The labels of what the encoder read, S of them."""
        return self.explanation.source.labels

    @property
    def target(self) -> list[str]:
        """The labels of what the decoder read, T of them."""
        return self.explanation.target.labels

    @property
    def current(self) -> ExplainedStep:
        return self.explanation.steps[self.step]


def walked(side: str) -> str:
    """What of the view says which token of `source` or `target` is looked at, as `View.place` gives it."""
    return "token" if side == "source" else "step"


@dataclass(frozen=True)
class ViewOptions(Watched):
    """The choices of one page, counted from 0: cell is (query, key), or None while none is locked; dim is None while none is
    picked, so that the page shows what it shows first.
    """

    stage: str = "softmax"
    show: str = "one"
    form: str = "matrix"
    unit: str = "tokens"
    scale: str = "linear"
    order: str = "sentence"
    specials: str = "show"
    axis: str = "linear"
    top: str = "10"
    drawing: str = "flow"
    open: str = ""
    cell: tuple[int, int] | None = None
    temperature: float = 1.0
    dim: int | None = None

    def link(self) -> dict[str, str]:
        """What differs from the default, as parameters of a link; cell and dim count from 1."""
        named = {name: str(value) for name, value in asdict(self).items() if value != getattr(DEFAULT, name)}
        if self.cell is not None:
            named["cell"] = f"{self.cell[0] + 1}-{self.cell[1] + 1}"
        if "temperature" in named:
            named["temperature"] = f"{self.temperature:g}"
        if self.dim is not None:
            named["dim"] = str(self.dim + 1)
        return named


DEFAULT = ViewOptions()
Stage = Kind | Literal["open"] | None
"""Whose stages a page shows: one attention's, those of the open block, or none's."""
NAMES = tuple(field.name for field in fields(ViewOptions))
WALKED = ("step", "layer", "head", "token")
"""What the keys walk along, on every page."""


def staged(stage: Stage, options: ViewOptions) -> Kind | None:
    """The attention whose stages are on the page."""
    return ATTENTIONS.get(options.open) if stage == "open" else stage


def from_link(parameters: Mapping[str, str]) -> tuple[ViewOptions, list[str]]:
    """The options that a link asks for, and the names of the parameters that it cannot have; those stay at the default."""
    values = {name: _read(name, parameters[name]) for name in NAMES if name in parameters}
    wrong = [name for name, value in values.items() if value is None]
    return ViewOptions(**{name: value for name, value in values.items() if value is not None}), wrong


def from_store(values: Mapping[str, Any]) -> ViewOptions:
    """The options that a browser sent; whatever it cannot be stays at the default."""
    texts = {name: value for name in NAMES if isinstance(value := values.get(name), str) and name not in ("cell", "dim")}
    cell, temperature, dim = (values.get(name) for name in ("cell", "temperature", "dim"))
    if isinstance(cell, list) and [type(index) for index in cell] == [int, int]:
        texts["cell"] = f"{cell[0] + 1}-{cell[1] + 1}"
    if isinstance(temperature, int | float):
        texts["temperature"] = str(temperature)
    if type(dim) is int:
        texts["dim"] = str(dim + 1)
    return from_link(texts)[0]


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
    if name == "dim":
        return int(text) - 1 if _FROM_1.fullmatch(text) else None
    return text if text in OPTIONS[name] else None
