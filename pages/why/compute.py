"""The numbers of the page “Why this word?”: the logits of the words written, and sums over the tokens of a word."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.analysis.logits import LogitAttribution, LogitLens, logit_attribution, logit_lens
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.trace import Doubles


@dataclass(frozen=True)
class Reading:
    """The logit lens on one token after one layer: ln p, p in 0…1, and the token's rank."""

    log_prob: float
    probability: float
    rank: int


@dataclass(frozen=True)
class LensRow:
    """The logit lens after one layer, which is derived.

    Attributes:
        known: whether all log-probabilities are numbers.
        top: the most probable tokens and their probabilities.
        words: the readings of the token that the step writes and of its rival.
    """

    known: bool
    top: tuple[tuple[int, float], ...]
    words: tuple[Reading, Reading]


def lens_rows(model: Transformer, explanation: Explanation, rivals: Sequence[int], top: int) -> list[list[LensRow]]:
    """For each step, a row before the first layer and one after each layer. rivals: for each step, the token to compare with."""
    rows = []
    for step, rival in zip(explanation.steps, rivals, strict=True):
        lens = logit_lens(model, explanation.trace, step.index)
        rows.append([_lens_row(lens, layer, (step.expected.id, rival), top) for layer in range(len(lens.log_probs))])
    return rows


def _lens_row(lens: LogitLens, layer: int, words: tuple[int, int], top: int) -> LensRow:
    word, rival = (Reading(float(lens.log_probs[layer, i]), lens.probability(layer, i), lens.rank(layer, i)) for i in words)
    best = tuple((i, lens.probability(layer, i)) for i in lens.top_ids(layer, top))
    return LensRow(bool(np.isfinite(lens.log_probs[layer]).all()), best, (word, rival))


def attributions(model: Transformer, explanation: Explanation, rivals: Sequence[int]) -> list[LogitAttribution]:
    """The sources of the logit of each step's token or, with rivals, of its lead over the step's rival."""
    against: Sequence[int | None] = rivals or [None] * len(explanation.steps)
    return [
        logit_attribution(model, explanation.trace, step.index, step.expected.id, rival)
        for step, rival in zip(explanation.steps, against, strict=True)
    ]


def sum_by_words(tokens: Doubles, positions: Sequence[Sequence[int]]) -> Doubles:
    """Scores of tokens, (…, S), summed over the tokens of each word, (…, K)."""
    return np.stack([tokens[..., columns].sum(-1) for columns in positions], axis=-1)
