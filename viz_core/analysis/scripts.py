"""Which script a text is written in, and whether that is one of its language."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence

from viz_core.words import Word

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
"""By language, as the Unicode names of its letters begin: LATIN SMALL LETTER A, CJK UNIFIED IDEOGRAPH-732B."""


def foreign_share(words: Sequence[Word], language: str) -> float:
    """The share of the words with letters that are in another script than the language's, 0…1; 0 for a language not listed."""
    own = SCRIPTS.get(language)
    found = [script for word in words if (script := _script(word.text))]
    return sum(script not in own for script in found) / len(found) if own and found else 0.0


def _script(word: str) -> str:
    """Of the first letter; empty for numbers, punctuation and emoji."""
    return next((unicodedata.name(sign, "").partition(" ")[0] for sign in word if sign.isalpha()), "")
