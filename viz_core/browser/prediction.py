"""The questions of Predict: the answers that each page can hide, and the answers themselves from the trace."""

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from viz_core.analysis.next_token import vocabulary_label
from viz_core.explain import ExplainedStep, Explanation
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer

Question = Literal["word", "source", "right", "figure"]
"""The hidden answer: the next token, the source token with the largest weight, the right one of two sides with its
comparison, or the whole figure.
"""
ANSWERS: Mapping[str, tuple[Question, ...]] = {
    "cross_attention": ("source",),
    "what_if": ("right", "word"),
    "compare": ("right", "word"),
    "why": ("figure", "word"),
    "output": ("word", "figure"),
    "decoding": ("word", "figure"),
}
"""Page → the questions of Predict, in the order of its button; on every other page the next token."""
CHOICES = 5
"""Number of tokens to choose from, beside “another”."""


def answers(page: str) -> tuple[Question, ...]:
    """The questions of Predict on a page."""
    return ANSWERS.get(page, ("word",))


def hidden_on(page: str) -> tuple[Question, ...]:
    """The answers that a link or a talk may hide on a page: a word to guess on one page stays hidden on the others."""
    return tuple(dict.fromkeys((*answers(page), "word", "source")))


def prediction(explanation: Explanation, tokenizer: Tokenizer, question: Question) -> dict[str, Any]:
    """One question for all steps.

    Returns:
        reads: the token that each step reads.
        for "word": `steps`, see `_next_token`.
        for "source": `tokens`, the source's labels, and `strongest`: layer → head → step → index of the largest weight.
    """
    reads = [visible(token.label) for token in explanation.target.tokens]
    attentions = [block.weights for block in explanation.trace.attentions("cross")]
    if question == "source":
        tokens = [visible(token.label) for token in explanation.source.tokens]
        strongest = [weights.argmax(-1).tolist() for weights in attentions]
        return {"asked": question, "reads": reads, "tokens": tokens, "strongest": strongest}
    mean = np.mean(attentions, axis=(0, 1))
    steps = [_next_token(explanation, step, tokenizer, weights) for step, weights in zip(explanation.steps, mean, strict=True)]
    return {"asked": question, "reads": reads, "steps": steps, "heads": sum(map(len, attentions))}


def _next_token(explanation: Explanation, step: ExplainedStep, tokenizer: Tokenizer, mean: Any) -> dict[str, Any]:
    """choices: [label, probability] of the most probable tokens, in alphabetical order, which gives nothing away; written: the
    same for the next token; right: its index among the choices, or the number of choices if it is not among them; looks: [label,
    weight] of the source token with the largest mean weight over all heads.
    """
    labelled = [(visible(vocabulary_label(tokenizer, i)), i) for i in step.top_ids(CHOICES)]
    choices = sorted(labelled, key=lambda choice: (choice[0].casefold(), choice))
    ids = [i for _, i in choices]
    next_id, strongest = step.expected.id, int(mean.argmax())
    return {
        "choices": [(label, _finite(step.probability(i))) for label, i in choices],
        "written": (visible(vocabulary_label(tokenizer, next_id)), _finite(step.probability(next_id))),
        "right": ids.index(next_id) if next_id in ids else len(ids),
        "looks": (visible(explanation.source.tokens[strongest].label), _finite(float(mean[strongest]))),
    }


def _finite(share: float) -> float | None:
    """None for NaN, which an edited or broken model may give, and which JSON lacks."""
    return share if math.isfinite(share) else None
