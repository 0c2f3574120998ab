"""Hypotheses of a search: their tokens, log-probabilities and scores (Wu et al. 2016, §7)."""

from __future__ import annotations

from dataclasses import dataclass, replace


def length_penalty(length: int, alpha: float) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^α  (Wu et al. 2016, arXiv:1609.08144, §7, eq. 14).

    Args:
        length: |Y|, the tokens written so far, with ⟨/s⟩ and without ⟨s⟩.
        alpha: α; 0 gives 1 for every length, and then long sentences lose, for each token makes a sentence less probable.
    """
    return ((5 + length) / 6) ** alpha


@dataclass(frozen=True)
class Hypothesis:
    """The T tokens written so far, ⟨/s⟩ among them once it has ended, with numbers for each.

    Attributes:
        log_probs: ln p of each token, given all before it.   totals: log P(Y|X), the sum of these so far.
        scores: each total divided by the length penalty at that length; sentences are ranked by it.
        ended: whether nothing follows; a search that is cut leaves unfinished sentences.
    """

    ids: tuple[int, ...] = ()
    log_probs: tuple[float, ...] = ()
    totals: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    ended: bool = False

    @property
    def tokens(self) -> tuple[int, ...]:
        """The ids without the token that ended it."""
        return self.ids[:-1] if self.ended else self.ids

    @property
    def total(self) -> float:
        """Log P(Y|X); 0 for an empty one."""
        return self.totals[-1] if self.totals else 0.0

    @property
    def score(self) -> float:
        return self.scores[-1] if self.scores else 0.0

    def then(self, token: int, log_prob: float, total: float, score: float, ended: bool = False) -> Hypothesis:
        return Hypothesis((*self.ids, token), (*self.log_probs, log_prob), (*self.totals, total), (*self.scores, score), ended)

    def rescored(self, alpha: float) -> Hypothesis:
        """The hypothesis with the scores of another length penalty, to compare greedy decoding with beam search."""
        scores = (total / length_penalty(length, alpha) for length, total in enumerate(self.totals, start=1))
        return replace(self, scores=tuple(scores))


def overtaken(rival: Hypothesis, greedy: Hypothesis) -> int | None:
    """The step, from 0, at which the rival's score overtakes the greedy sentence's for good; None if it ends no higher.

    A finished sentence keeps its last score; sentences with the same tokens so far are level. Both need the same length penalty.
    """
    since = None
    for step in reversed(range(max(len(rival.ids), len(greedy.ids)))):
        same = rival.ids[: step + 1] == greedy.ids[: step + 1]
        if same or _at(rival, step) <= _at(greedy, step):
            break
        since = step
    return since


def _at(hypothesis: Hypothesis, step: int) -> float:
    return hypothesis.scores[min(step, len(hypothesis.ids) - 1)] if hypothesis.ids else 0.0
