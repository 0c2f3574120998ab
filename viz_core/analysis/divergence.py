"""Comparison of two explanations of one sentence: their words, and both models' probabilities of the same tokens."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.explain import Explanation
from viz_core.trace import Array, Doubles, Trace
from viz_core.words import Word


@dataclass(frozen=True)
class WordRun:
    """A run of words that stayed, or that were replaced; one side may be empty."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def same(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True)
class ProbabilityChange:
    """One token's probability before and after."""

    id: int
    before: float
    after: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two models' predictions of the same output of T steps, each step given the tokens before it.

    Attributes:
        words: the two translations, run by run.
        before, after: ln p of each token, (T, V), as recorded.
        output: ids of the tokens that the first model wrote, (T,).
        divergence: KL(before ‖ after) at each step, in bits, (T,).
    """

    words: tuple[WordRun, ...]
    before: Array
    after: Array
    output: npt.NDArray[np.int64]
    divergence: Doubles

    def log_probs(self) -> tuple[Doubles, Doubles]:
        """Log-probability of each output token, before and after, (T,) each."""
        tokens = np.arange(len(self.output)), self.output
        return self.before[tokens].astype(np.float64), self.after[tokens].astype(np.float64)

    @property
    def drop(self) -> float:
        """Σ ln p of the output before, minus Σ ln p after, in nats."""
        before, after = self.log_probs()
        return float(before.sum() - after.sum())

    def largest_terms(self, step: int, k: int) -> list[ProbabilityChange]:
        """The k tokens whose terms p log₂ (p / q) contribute most to the divergence, by absolute value."""
        terms = divergence_terms(self.before[step], self.after[step])
        before, after = (np.exp(row[step].astype(np.float64)) for row in (self.before, self.after))
        ids = np.argsort(-np.abs(terms), kind="stable")[:k]
        return [ProbabilityChange(i, before[i], after[i]) for i in ids.tolist()]


def compare_explanations(before: Explanation, after: Explanation, same: Trace) -> Comparison:
    """Compares two explanations of one sentence.

    Args:
        before: of the model as trained.
        after: of the edited one, decoded anew.
        same: a pass of the edited model over `after.source` and the first one's output, `before.target`. Without the causal mask,
            each step sees the rest of that output.

    Raises:
        ValueError: `same` is a pass over another target.
    """
    first, second = before.trace.array("output.log_probs"), same.array("output.log_probs")
    if first.shape != second.shape:
        raise ValueError(f"the passes are over {first.shape} and {second.shape} steps and tokens, expected the same target")
    words = word_runs([word.text for word in before.target.words], [word.text for word in after.target.words])
    output = np.array([token.id for token in before.output])
    return Comparison(words, first, second, output, divergence(first, second))


def word_runs(before: Sequence[str], after: Sequence[str]) -> tuple[WordRun, ...]:
    """Longest common runs of words, and what stands between them (Ratcliff & Metzener 1988)."""
    matches = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(WordRun(tuple(before[a:b]), tuple(after[c:d])) for _, a, b, c, d in matches)


def marked(before: Sequence[Word], text: str, words: Sequence[Word], *, same: bool = False) -> list[tuple[str, bool]]:
    """A text cut into words and the characters between them, each with whether it is marked.

    Words that differ from the other text, `before`, are marked; with `same`, those that both texts have.
    """
    other = [not run.same for run in word_runs([w.text for w in before], [w.text for w in words]) for _ in run.after]
    marks, end = [], 0
    for word, differs in zip(words, other, strict=True):
        marks += [(text[end : word.start], False), (text[word.start : word.end], differs != same)]
        end = word.end
    return [*marks, (text[end:], False)]


def divergence(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> Doubles:
    """KL(p ‖ q) = Σ p log₂ (p / q) of each row, in bits (Kullback & Leibler 1951).

    Args:
        before, after: ln p and ln q, (T, V). Recorded in float32, they are normalized once more in float64.

    Returns:
        (T,), at least 0; inf where q is 0 and p is not.
    """
    return np.maximum(divergence_terms(before, after).sum(-1) / math.log(2), 0.0)


def divergence_terms(before: npt.NDArray[Any], after: npt.NDArray[Any]) -> Doubles:
    """Terms of the Kullback–Leibler divergence, p ln (p / q) of each token, in nats, (T, V)."""
    p, q = (_normalized(row.astype(np.float64)) for row in (before, after))
    shares = np.exp(p)
    with np.errstate(invalid="ignore"):  # 0 · (−∞ − q) counts 0
        terms: Doubles = np.where(shares > 0, shares * (p - q), 0.0)
    return terms


def _normalized(logits: Doubles) -> Doubles:
    top = logits.max(-1, keepdims=True)
    shifted: Doubles = logits - top
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
