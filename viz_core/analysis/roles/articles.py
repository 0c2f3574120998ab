"""Articles, which some languages have: where an article and the words of its phrase look at each other."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from viz_core.trace import Kind
from viz_core.words import TokenizedText

ARTICLES: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a an the",
        "de": "der die das den dem des ein eine einen einem einer eines",
        "fr": "le la les l' l’ un une des",
        "es": "el la los las un una unos unas",
        "it": "il lo la i gli le l' l’ un uno una un' un’",
        "pt": "o a os as um uma uns umas",
        "nl": "de het een",
        "sv": "en ett den det de",
    }.items()
}
"""Closed lists, without contractions with a preposition («im», «du»). Some of these words are pronouns, too («das», «la»)."""
AFTER, BEFORE = 2, 3  # words: from an article on to its noun, and from a word back to its article, with room for adjectives


def article_keys(kind: Kind, text: TokenizedText, language: str) -> npt.NDArray[np.bool_]:
    """True at the keys that a head looks at which joins articles and nouns, (T, T); nothing in a language without articles.

    In self-attention the rows of articles look at the two words after them. In masked attention these words are not yet read, so
    there the other words look back, at most three words, at the nearest article. Punctuation ends a phrase.
    """
    words = [word.text.casefold() for word in text.words]
    articles = ARTICLES.get(language, frozenset())
    phrases = [_after(at, words, articles) if kind == "self" else _before(at, words, articles) for at in range(len(words))]
    rows = [range(0) if token.word is None else phrases[token.word] for token in text.tokens]
    return np.array([[token.word in row for token in text.tokens] for row in rows], dtype=np.bool_)


def is_punctuation(word: str) -> bool:
    return bool(word) and all(unicodedata.category(character).startswith("P") for character in word)


def _after(at: int, words: list[str], articles: frozenset[str]) -> range:
    end = at + 1
    while words[at] in articles and end < min(len(words), at + 1 + AFTER) and not is_punctuation(words[end]):
        end += 1
    return range(at + 1, end)


def _before(at: int, words: list[str], articles: frozenset[str]) -> range:
    if words[at] not in articles and not is_punctuation(words[at]):
        for back in range(at - 1, max(at - 1 - BEFORE, -1), -1):
            if words[back] in articles:
                return range(back, back + 1)
            if is_punctuation(words[back]):
                break
    return range(0)
