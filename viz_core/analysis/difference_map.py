"""Two texts word by word: which word of the one stands where which word of the other stands."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from viz_core.analysis.words import groups
from viz_core.tokens import TokenizedText


@dataclass(frozen=True)
class Match:
    """One word of each text, with the positions of its tokens; the texts of both are the same or take each other's place."""

    texts: tuple[str, str]
    tokens: tuple[tuple[int, ...], tuple[int, ...]]

    @property
    def same(self) -> bool:
        """Whether it is the same word."""
        return self.texts[0] == self.texts[1]


@dataclass(frozen=True)
class WordAlignment:
    """The words that stand on both sides, in order, and those that only one side has."""

    matches: tuple[Match, ...]
    alone: tuple[tuple[str, ...], tuple[str, ...]]


def align_words(left: TokenizedText, right: TokenizedText) -> WordAlignment:
    """The longest common runs of words (Ratcliff & Metzener 1988); between two runs, as many words for as many are paired in order.

    Special tokens are words of their own. Where a stretch has three words on one side and two on the other, nothing says which of
    them belong together: they stay alone.
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
