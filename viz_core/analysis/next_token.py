"""Next-token distribution of one step, its entropy and temperature, and the score of a whole target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz_core.analysis.attention import entropy
from viz_core.explain import ExplainedStep
from viz_core.model.transformer import Transformer
from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.trace import Array, Trace
from viz_core.words import without_blanks


@dataclass(frozen=True, eq=False)
class Distribution:
    """softmax(z) over the vocabulary (Vaswani et al. 2017, §3.4), at one step, (V,) each.

    Attributes:
        logits: z.   log_probs: log softmax(z); both as recorded.   probabilities: e^log_probs in float64.
        log_sum_exp: log Σ e^z in float64; derived. z − log_sum_exp equals the recorded log-probability.
    """

    logits: Array
    log_probs: Array
    probabilities: npt.NDArray[np.float64]
    log_sum_exp: float

    @property
    def entropy(self) -> float:
        """H = −Σ p log₂ p, in bits (Shannon 1948); derived."""
        return entropy(self.probabilities)

    @property
    def equal_choices(self) -> float:
        """2^H, the number of equally likely tokens with the same entropy; derived."""
        return 2.0**self.entropy


@dataclass(frozen=True, eq=False)
class TemperedSoftmax:
    """A distribution at another temperature, (V,), and log Σ e^(z/T); derived."""

    probabilities: npt.NDArray[np.float64]
    log_sum_exp: float


def distribution(trace: Trace, step: int) -> Distribution:
    """Next-token distribution at one step, counted from 0."""
    logits, log_probs = trace.array("output.logits")[step], trace.array("output.log_probs")[step]
    exact = logits.astype(np.float64)
    top = float(exact.max())
    return Distribution(logits, log_probs, np.exp(log_probs.astype(np.float64)), top + math.log(float(np.exp(exact - top).sum())))


def at_temperature(logits: Array, temperature: float) -> TemperedSoftmax:
    """softmax(z / T) in float64 (Hinton et al. 2015, §2); T = 1 is what the model computed."""
    divided = logits.astype(np.float64) / temperature
    most = float(divided.max())
    weights = np.exp(divided - most)
    total = float(weights.sum())
    return TemperedSoftmax(weights / total, most + math.log(total))


def logit_limits(trace: Trace) -> tuple[float, float]:
    """Whole numbers below and above every logit of the sentence, and 0: one axis for all steps."""
    logits = trace.array("output.logits")
    return min(0.0, math.floor(float(logits.min()))), max(0.0, math.ceil(float(logits.max())))


def top_ids(log_probs: Array, count: int) -> list[int]:
    """The ids of the most probable tokens, equal ones by id, NaN last; without sorting the whole vocabulary."""
    count = min(count, len(log_probs))
    surprisal = -log_probs
    last = np.partition(surprisal, count - 1)[count - 1]
    ids = np.arange(len(surprisal)) if np.isnan(last) else np.flatnonzero(surprisal <= last)
    found: list[int] = ids[np.argsort(surprisal[ids], kind="stable")][:count].tolist()
    return found


def vocabulary_label(tokenizer: Tokenizer, token_id: int) -> str:
    """A token of the vocabulary on an axis: led by a dot where its letters continue a word.

    In a script without blanks between words one cannot tell, and it is the rarer token after a blank that is marked: «▁我».
    """
    text = tokenizer.token_text(token_id)
    if token_id in tokenizer.specials:
        return text
    spaced = tokenizer.starts_word(token_id)
    if without_blanks(text):
        return f"{SPACE}{text}" if spaced else text
    return f"·{text}" if not spaced and text[:1].isalnum() else text


@dataclass(frozen=True, eq=False)
class Term:
    """One dimension of a dot product: index from 0, the two numbers and their product."""

    index: int
    state: float
    weight: float
    product: float


@dataclass(frozen=True, eq=False)
class LogitTerms:
    """Terms of one token's logit, the dot product z = x · E_token, plus its bias in models that have one, as recorded in `value`.

    Attributes:
        terms: the dimensions with the largest products, largest first.
        others: the sum of all other products; derived, in float64.
        dims: how many there are in all.   bias: of the token; None where the model has none.
    """

    terms: tuple[Term, ...]
    others: float
    value: float
    dims: int
    bias: float | None = None


def logit(model: Transformer, trace: Trace, step: int, token_id: int, count: int = 3) -> LogitTerms:
    """A logit as the dot product of the decoder's state and one row of the generator's matrix (§3.4; tied: the embedding's row)."""
    state = trace.array("decoder.states")[step]
    row = model.generator.weight[token_id].detach().float().numpy()
    products = state.astype(np.float64) * row.astype(np.float64)
    strongest = np.argsort(-np.abs(products), kind="stable")[:count]
    terms = tuple(Term(int(d), float(state[d]), float(row[d]), float(products[d])) for d in strongest)
    others = float(products.sum() - sum(term.product for term in terms))
    bias = None if model.generator.bias is None else float(model.generator.bias[token_id])
    return LogitTerms(terms, others, float(trace.array("output.logits")[step, token_id]), len(products), bias)


@dataclass(frozen=True, eq=False)
class TargetScore:
    """Probability and rank of each token of a target, (T,) each.

    Attributes:
        ranks: 1 where the model would have written the same.   best: the probability of what it would have written.
        log_prob: Σ log p, natural logarithm; derived.
    """

    probabilities: npt.NDArray[np.float64]
    ranks: tuple[int, ...]
    best: npt.NDArray[np.float64]
    log_prob: float

    @property
    def perplexity(self) -> float:
        """e^(−Σ log p / T): the geometric mean of 1/p; derived. inf where it overflows."""
        with np.errstate(over="ignore"):
            return float(np.exp(-self.log_prob / len(self.ranks)))


def score(steps: Sequence[ExplainedStep]) -> TargetScore:
    """Score each token of a target given the tokens before it."""
    ids = [step.expected.id for step in steps]
    probabilities = np.array([step.probability(i) for step, i in zip(steps, ids, strict=True)])
    ranks = tuple(step.rank(i) for step, i in zip(steps, ids, strict=True))
    best = np.array([step.probability(step.chosen.id) for step in steps])
    log_prob = sum(float(np.float64(step.log_probs[i])) for step, i in zip(steps, ids, strict=True))
    return TargetScore(probabilities, ranks, best, log_prob)
