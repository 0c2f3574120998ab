"""What a page shows: the sentence and the place in the model; and of the browser-side parts, as a link and as the store has it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from viz_core.app.answers import NOTHING, Sentence
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import ExplainedStep, Explanation
from viz_core.params import OPTIONS, Options
from viz_core.trace import Kind, Trace

ATTENTIONS: Mapping[str, Kind] = {"encoder": "self", "masked": "masked", "cross": "cross"}
"""The blocks that open into the stage of an attention."""


@dataclass(frozen=True, eq=False)
class View:
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
class ViewOptions(Options):
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
