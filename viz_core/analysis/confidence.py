"""Signs that a translation is likely bad: low probability, or a text that the model's vocabulary cannot write."""

import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.tokenizer import Tokenizer
from viz_core.words import Word

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
