"""Next-token distribution of one step, its entropy and logits, and the score of a whole target."""

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

    def at_temperature(self, temperature: float) -> npt.NDArray[np.float64]:
        """softmax(z / T) in float64; derived."""
        exact = self.logits.astype(np.float64)
        powers: npt.NDArray[np.float64] = np.exp((exact - exact.max()) / temperature)
        return powers / powers.sum()


def distribution(trace: Trace, step: int) -> Distribution:
    """Next-token distribution at one step, counted from 0."""
    logits, log_probs = trace.array("output.logits")[step], trace.array("output.log_probs")[step]
    exact = logits.astype(np.float64)
    top = float(exact.max())
    return Distribution(logits, log_probs, np.exp(log_probs.astype(np.float64)), top + math.log(float(np.exp(exact - top).sum())))


def logit_limits(trace: Trace) -> tuple[float, float]:
    """Whole numbers that enclose 0 and every logit of the sentence, so that all steps share one axis."""
    logits = trace.array("output.logits")
    return min(0.0, math.floor(float(logits.min()))), max(0.0, math.ceil(float(logits.max())))


def rest_of(log_probs: Array, ids: Sequence[int]) -> float:
    """The total probability of all tokens but these, in float64."""
    others = np.ones(len(log_probs), bool)
    others[list(ids)] = False
    return float(np.exp(log_probs[others].astype(np.float64)).sum())


def top_ids(log_probs: Array, count: int) -> list[int]:
    """The ids of the most probable tokens, equal ones by id, NaN last; without sorting the whole vocabulary."""
    count = min(count, len(log_probs))
    surprisal = -log_probs
    last = np.partition(surprisal, count - 1)[count - 1]
    ids = np.arange(len(surprisal)) if np.isnan(last) else np.flatnonzero(surprisal <= last)
    top: list[int] = ids[np.argsort(surprisal[ids], kind="stable")][:count].tolist()
    return top


def vocabulary_label(tokenizer: Tokenizer, token_id: int) -> str:
    """A token's label on an axis: a dot leads letters that continue a word.

    A script without spaces does not show whether a token continues a word; there the rarer token after a space is marked: «▁我».
    """
    text = tokenizer.token_text(token_id)
    if token_id in tokenizer.specials:
        return text
    spaced = tokenizer.starts_word(token_id)
    if without_blanks(text):
        return f"{SPACE}{text}" if spaced else text
    return f"·{text}" if not spaced and text[:1].isalnum() else text


@dataclass(frozen=True, eq=False)
class LogitTerms:
    """Logits of C tokens at each of T steps as dot products z = x · E_token, plus the bias in models that have one.

    Attributes:
        dims: the n dimensions with the largest products, largest first, (T, C, n).   states, weights: the two factors there.
        others: the sum of all other products, (T, C); derived, in float64.
        values: the logits, as recorded, (T, C).   biases: of the tokens, (T, C); None if the model has none.
    """

    dims: npt.NDArray[np.int64]
    states: Array
    weights: Array
    others: npt.NDArray[np.float64]
    values: Array
    biases: Array | None = None


def logit_terms(model: Transformer, trace: Trace, ids: npt.NDArray[np.int64], count: int = 3) -> LogitTerms:
    """Logits as dot products of the decoder's state and one row of the generator's matrix (§3.4; tied: the embedding's row).

    Args:
        ids: of C tokens at each step, (T, C).   count: how many products to name.
    """
    states = trace.array("decoder.states")[:, None]  # (T, 1, D)
    rows = model.generator.weight.detach()[ids].float().numpy()  # (T, C, D)
    products = states.astype(np.float64) * rows.astype(np.float64)
    dims = np.argsort(-np.abs(products), axis=-1, kind="stable")[..., :count]
    named = np.take_along_axis(products, dims, -1)
    return LogitTerms(
        dims, np.take_along_axis(np.broadcast_to(states, rows.shape), dims, -1), np.take_along_axis(rows, dims, -1),
        products.sum(-1) - named.sum(-1), np.take_along_axis(trace.array("output.logits"), ids, -1),
        None if model.generator.bias is None else model.generator.bias.detach()[ids].float().numpy(),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class TargetScore:
    """Probability and rank of each token of a target, (T,) each.

    Attributes:
        ranks: 1 where the model would have written the same token.   best: the probability of the token it would have written.
        log_prob: Σ log p, natural logarithm; derived.
    """

    probabilities: npt.NDArray[np.float64]
    ranks: tuple[int, ...]
    best: npt.NDArray[np.float64]
    log_prob: float


def score(steps: Sequence[ExplainedStep]) -> TargetScore:
    """Scores each token of a target, given the tokens before it."""
    ids = [step.expected.id for step in steps]
    probabilities = np.array([step.probability(i) for step, i in zip(steps, ids, strict=True)])
    ranks = tuple(step.rank(i) for step, i in zip(steps, ids, strict=True))
    best = np.array([step.probability(step.chosen.id) for step in steps])
    log_prob = sum(float(np.float64(step.log_probs[i])) for step, i in zip(steps, ids, strict=True))
    return TargetScore(probabilities, ranks, best, log_prob)
