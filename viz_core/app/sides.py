"""Two explanations side by side: of two sentences, of two models, or of a model as trained and edited."""

from dataclasses import replace
from typing import Any, Literal

from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.app.answers import Right
from viz_core.app.cache import cached, get_pass
from viz_core.app.markup import shortened
from viz_core.browser.output_payload import Side
from viz_core.checkpoint import Checkpoint
from viz_core.edits import describe
from viz_core.explain import Explanation
from viz_core.texts import fill, texts, visible
from viz_core.trace import Trace

Pair = Literal["sentences", "models", "edits"]
MOST_LETTERS = 60
"""Most characters of a sentence above its side."""


def sides(pair: Pair, checkpoint: Checkpoint, explanation: Explanation, right: Right) -> tuple[Side, Side]:
    """Both sides, each with its heading."""
    both = (explanation, checkpoint), (right.explanation, right.checkpoint)
    if pair == "sentences":
        first, second = (Side(shortened(visible(ex.source.text), MOST_LETTERS), ex, model) for ex, model in both)
    elif pair == "models":
        first, second = (Side(model.name, ex, model, (fill(texts("compare")["shape"], _shape(model)),)) for ex, model in both)
    else:
        words, details = texts("app.sides"), describe(right.explanation.edits)
        first, second = Side(words["trained"], *both[0]), Side(words["edited"], *both[1], details or (words["nothing"],))
    return first, second


def changes(left: Side, right: Side) -> Comparison:
    """The right side scored on the left side's output, step by step; both have the same vocabulary."""
    return cached(compare_explanations, left.explanation, right.explanation, _pass_over_left(left, right))


def on_left_output(left: Side, right: Side) -> Side:
    """The right side, teacher-forced on the left side's output."""
    after = right.explanation
    same = replace(
        left.explanation, source=after.source, trace=_pass_over_left(left, right), given_target=True, notices=(), edits=after.edits
    )
    return replace(right, explanation=same)


def _pass_over_left(left: Side, right: Side) -> Trace:
    after = right.explanation
    return get_pass(right.checkpoint, (tuple(after.source.ids),), (tuple(left.explanation.target.ids),), after.edits)


def _shape(checkpoint: Checkpoint) -> dict[str, Any]:
    """The shape of a model, as values for a text."""
    million = sum(weight.numel() for weight in checkpoint.model.parameters()) / 1e6
    config = checkpoint.config
    return {"layers": config.n_layers, "heads": config.n_heads, "d_model": config.d_model, "million": f"{million:.1f}"}
