"""How byte-pair encoding builds a word: one merge after the other (Sennrich et al. 2016, §3.2)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Merge:
    """One step of byte-pair encoding: of all neighbours, the pair that was learned first becomes one token.

    Attributes:
        before: the word as it stands, each token as the vocabulary writes it.
        ranks: for each two neighbours, when their pair was learned, from 0; None for a pair that never was.
        at: which two neighbours are joined: before[at] and before[at + 1].
        rank: when their pair was learned: the smallest of the ranks.
    """

    before: tuple[str, ...]
    ranks: tuple[int | None, ...]
    at: int
    rank: int

    @property
    def after(self) -> tuple[str, ...]:
        """The word with the two joined."""
        left, right = self.before[self.at], self.before[self.at + 1]
        return (*self.before[: self.at], left + right, *self.before[self.at + 2 :])


def merge_steps(letters: tuple[str, ...], ranks: Mapping[tuple[str, str], int]) -> list[Merge]:
    """Joins the neighbours that were learned first, until none were ever learned.

    Args:
        letters: what the word starts from.
        ranks: pair → when it was learned, from 0.
    """
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
