"""From tokens to words: the words of a tokenized text, attention between words, and which words of two texts match."""

from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from viz_core.trace import Floats
from viz_core.words import TokenizedText


def groups(tokenized: TokenizedText) -> tuple[list[str], list[list[int]]]:
    """The words of a text, special tokens as words of their own, and the positions of each word's tokens."""
    labels: list[str] = []
    positions: list[list[int]] = []
    previous: int | None = None
    for i, token in enumerate(tokenized.tokens):
        if token.word is None:
            labels.append(token.text)
            positions.append([i])
        elif token.word == previous:
            positions[-1].append(i)
        else:
            labels.append(tokenized.words[token.word].text)
            positions.append([i])
        previous = token.word
    return labels, positions


def by_words(weights: Floats, queries: list[list[int]], keys: list[list[int]]) -> Floats:
    """Attention between words: summed over a key word's tokens, averaged over a query word's, so that rows still sum to 1.

    Clark et al. 2019, §4.1. (…, Tq, Tk), with the positions of each word's tokens from `groups` → (…, query words, key words).
    """
    summed = np.stack([weights[..., key].sum(-1) for key in keys], axis=-1)  # (…, Tq, key words)
    return np.stack([summed[..., query, :].mean(-2) for query in queries], axis=-2)


@dataclass(frozen=True)
class Match:
    """One word of each text, with the positions of its tokens."""

    texts: tuple[str, str]
    tokens: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def same(self) -> bool:
        return self.texts[0] == self.texts[1]


@dataclass(frozen=True)
class WordAlignment:
    """The matched words of two texts, in order, and the words that only one text has."""

    matches: tuple[Match, ...]
    alone: tuple[tuple[str, ...], tuple[str, ...]]


def align_words(left: TokenizedText, right: TokenizedText) -> WordAlignment:
    """Pairs the longest common runs of words (Ratcliff & Metzener 1988), and stretches of equal length between them, in order.

    Special tokens count as words. Stretches of unequal length, such as three words against two, stay unmatched.
    """
    (left_words, left_tokens), (right_words, right_tokens) = groups(left), groups(right)
    matches: list[Match] = []
    alone: tuple[list[str], list[str]] = [], []
    for _, a, b, c, d in SequenceMatcher(None, left_words, right_words, autojunk=False).get_opcodes():
        if b - a == d - c:
            matches += [
                Match((left_words[i], right_words[j]), (tuple(left_tokens[i]), tuple(right_tokens[j])))
                for i, j in zip(range(a, b), range(c, d), strict=True)
            ]
        else:
            alone[0].extend(left_words[a:b])
            alone[1].extend(right_words[c:d])
    return WordAlignment(tuple(matches), (tuple(alone[0]), tuple(alone[1])))
