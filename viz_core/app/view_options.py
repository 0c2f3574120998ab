"""What a page shows: the sentence and the place in the model; and of the browser-side parts, as a link and as the store has it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal

from viz_core.app.answers import NOTHING, Sentence
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import ExplainedStep, Explanation
from viz_core.params import OPTIONS, Options
from viz_core.trace import Kind, Trace

ATTENTIONS: Mapping[str, Kind] = {"encoder": "self", "masked": "masked", "cross": "cross"}
"""The blocks that open into the stage of an attention."""
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
    sentence: Sentence = NOTHING

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
class ViewOptions(Watched, Options):
    """The choices of one page."""


DEFAULT = ViewOptions()
Stage = Kind | Literal["open"] | None
"""Whose stages a page shows: one attention's, those of the open block, or none's."""


def staged(stage: Stage, options: ViewOptions) -> Kind | None:
    """The attention whose stages are on the page."""
    return ATTENTIONS.get(options.open) if stage == "open" else stage


def from_link(parameters: Mapping[str, str], usual: ViewOptions = DEFAULT) -> tuple[ViewOptions, list[str]]:
    """The options that a link asks for, and the names of the parameters that it cannot have; those are as usual."""
    read = {name: param.read(parameters[name]) for name, param in OPTIONS.items() if name in parameters}
    good = {name: value for name, value in read.items() if value is not None}
    return replace(usual, **good), [name for name in read if name not in good]
