"""What a page shows: the sentence and the place in the model, and the options of its browser-side parts."""

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
"""The blocks of the overview that open into the stages of an attention."""


@dataclass(frozen=True, eq=False)
class View:
    """The sentence and the place in the model that every page shows. step, layer, head and token count from 0.

    get_checkpoint, get_explanation: functions, since a session keeps its view but not the model and the numbers, see `WeakCached`.
    token: the focused token of the source, on the encoder's pages.
    sentence: names both of them in an address.
    """

    get_checkpoint: Callable[[], Checkpoint]
    get_explanation: Callable[[], Explanation]
    step: int
    layer: int
    head: int
    token: int = 0
    sentence: Sentence = NOTHING

    def place(self, side: str) -> int:
        """Index of a side's focused token: in the source the chosen one, in the target the one that this step reads."""
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
        """Labels of the S tokens that the encoder read."""
        return self.explanation.source.labels

    @property
    def target(self) -> list[str]:
        """Labels of the T tokens that the decoder read."""
        return self.explanation.target.labels

    @property
    def current(self) -> ExplainedStep:
        return self.explanation.steps[self.step]


def walked(side: str) -> str:
    """The view field that selects the focused token of a side, see `View.place`."""
    return "token" if side == "source" else "step"


@dataclass(frozen=True)
class ViewOptions(Options):
    """The choices of one page."""


DEFAULT = ViewOptions()
Stage = Kind | Literal["open"] | None
"""The attention whose stages a page shows: this one, that of the open block, or none."""


def staged(stage: Stage, options: ViewOptions) -> Kind | None:
    """The attention whose stages are on the page."""
    return ATTENTIONS.get(options.open) if stage == "open" else stage


def from_link(parameters: Mapping[str, str], usual: ViewOptions = DEFAULT) -> tuple[ViewOptions, list[str]]:
    """The options of a link, and the names of its invalid parameters, which keep their usual values."""
    read = {name: param.read(parameters[name]) for name, param in OPTIONS.items() if name in parameters}
    good = {name: value for name, value in read.items() if value is not None}
    return replace(usual, **good), [name for name in read if name not in good]
