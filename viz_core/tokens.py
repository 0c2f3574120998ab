"""A text with its words and tokens, each at its place; and how byte-pair encoding builds a word (Sennrich et al. 2016, §3.2)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from viz_core.words import Word


@dataclass(frozen=True)
class Token:
    """One unit of the vocabulary, at its place in the text.

    Attributes:
        id: its row in the embedding matrix.
        text: its characters; for a special token its name, for a byte `⟨E4⟩`.
        word: index of its word, None for a special token.
        start, end: its characters in the text; empty for a special token. The bytes of one character share its place.
        first: whether it starts its word.
    """

    id: int
    text: str
    word: int | None
    start: int
    end: int
    first: bool = True

    @property
    def label(self) -> str:
        """How it is written on an axis: a token inside a word is led by a dot, as in «·chen»."""
        return self.text if self.first else f"·{self.text}"


@dataclass(frozen=True)
class TokenizedText:
    """A text with its words and tokens."""

    text: str
    words: tuple[Word, ...]
    tokens: tuple[Token, ...]

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]

    @property
    def labels(self) -> list[str]:
        return [token.label for token in self.tokens]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class Merge:
    """One step of byte-pair encoding: of all neighbours, the pair that was learned first becomes one token.

    Attributes:
        before: the tokens of the word.   at: before[at] and before[at + 1] are joined.   rank: when their pair was learned.
        ranks: of each two neighbours, from 0; None for a pair that never was.
    """

    before: tuple[str, ...]
    ranks: tuple[int | None, ...]
    at: int
    rank: int

    @property
    def after(self) -> tuple[str, ...]:
        left, right = self.before[self.at], self.before[self.at + 1]
        return (*self.before[: self.at], left + right, *self.before[self.at + 2 :])


def merge_steps(letters: tuple[str, ...], ranks: Mapping[tuple[str, str], int]) -> list[Merge]:
    """Joins the neighbours that were learned first, until none were ever learned; ranks: pair → when it was learned, from 0."""
    now = letters
    steps: list[Merge] = []
    while True:
        of_pairs = tuple(ranks.get(pair) for pair in itertools.pairwise(now))
        known = [(rank, at) for at, rank in enumerate(of_pairs) if rank is not None]
        if not known:
            return steps
        rank, at = min(known)
        steps.append(Merge(now, of_pairs, at, rank))
        now = steps[-1].after
