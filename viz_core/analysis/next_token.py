"""Next-token distribution of one step, its entropy and logits, the score of a whole target, and signs of a bad translation."""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from viz_core.analysis.attention import entropy
from viz_core.checkpoint import Checkpoint
from viz_core.explain import ExplainedStep, Explanation
from viz_core.model.transformer import Transformer
from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.trace import Array, Trace
from viz_core.words import Word, without_blanks


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


UNSURE = 0.5
"""Mean probability below which 84 % of en-de's translations (38 of 45) had chrF below 50, among 400 drawn from its test sentences;
of all 400, 34 % had."""
SPELT = 0.3
"""Share of the source's tokens that are single bytes; English has hardly any, Chinese and emoji nearly nothing else."""
FOREIGN = 0.5
"""Share of words in another script above which a text is not in the model's language; a few names and loan words are allowed."""


@dataclass(frozen=True)
class Doubt:
    """Why a translation is likely bad.

    Attributes:
        reason: `script`, most words are in another script than the model's language; `foreign`, the text is mostly spelt in bytes;
            `improbable`, the model gives its own output little probability.
        share: of words in another script; of source tokens that are bytes or unknown; or the geometric mean of the output's
            probabilities, exp(1/T · Σ ln p). Derived.
    """

    reason: Literal["script", "foreign", "improbable"]
    share: float


def spelt_share(ids: Sequence[int], tokenizer: Tokenizer) -> float:
    """The share of these tokens that are single bytes or unknown, 0…1."""
    return sum(not tokenizer.is_text(i) for i in ids) / max(len(ids), 1)


def fits(text: str, checkpoint: Checkpoint) -> bool:
    """True if a text can be in the language that a model reads, judged by its script and by the model's tokens."""
    encoded, language = checkpoint.encode(text, "source"), checkpoint.source_language
    spelt = spelt_share(encoded.ids, checkpoint.source_tokenizer)
    return bool(encoded.ids) and spelt < SPELT and foreign_share(encoded.words, language) <= FOREIGN


def doubt(explanation: Explanation, tokenizer: Tokenizer, language: str) -> Doubt | None:
    """The first sign of a bad translation; None if there is none, the target was typed, or the model is edited.

    Args:
        tokenizer, language: of the source.
    """
    if explanation.given_target or explanation.edits:
        return None
    other = foreign_share(explanation.source.words, language)
    if other > FOREIGN:
        return Doubt("script", other)
    spelt = spelt_share([token.id for token in explanation.source.tokens if token.word is not None], tokenizer)
    if spelt >= SPELT:
        return Doubt("foreign", spelt)
    steps = explanation.steps
    mean = math.exp(sum(float(step.log_probs[step.expected.id]) for step in steps) / len(steps))
    return Doubt("improbable", mean) if mean < UNSURE else None


LATIN = frozenset({"LATIN"})
SCRIPTS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "hu", "ro", "tr"], LATIN),
    **dict.fromkeys(["ru", "uk", "bg"], frozenset({"CYRILLIC"})),
    "zh": frozenset({"CJK"}),
    "ja": frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    "ko": frozenset({"HANGUL"}),
    "el": frozenset({"GREEK"}),
    "ar": frozenset({"ARABIC"}),
    "fa": frozenset({"ARABIC"}),
    "he": frozenset({"HEBREW"}),
    "hi": frozenset({"DEVANAGARI"}),
    "th": frozenset({"THAI"}),
}
"""Language → first word in the Unicode names of its letters, as in LATIN SMALL LETTER A, CJK UNIFIED IDEOGRAPH-732B."""


def foreign_share(words: Sequence[Word], language: str) -> float:
    """The share of the words with letters that are in another script than the language's, 0…1; 0 for a language not listed."""
    own = SCRIPTS.get(language)
    scripts = [script for word in words if (script := _script(word.text))]
    return sum(script not in own for script in scripts) / len(scripts) if own and scripts else 0.0


def _script(word: str) -> str:
    """The script of the first letter; empty for numbers, punctuation and emoji."""
    return next((unicodedata.name(sign, "").partition(" ")[0] for sign in word if sign.isalpha()), "")
