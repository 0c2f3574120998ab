"""Numbers of a search and of draws as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.decoding.beam_compute import Search
from pages.decoding.sampling_compute import Draw, Shape
from viz_core.app.csv_files import Cell, written
from viz_core.decoding import length_penalty
from viz_core.tokenizer import Tokenizer


def search_csv(found: Search, tokenizer: Tokenizer) -> bytes:
    """Every candidate that was weighed at each step, the best first, with its scores and what became of it.

    `parent` is the rank, among those that were alive, of the sentence that it goes on from; `forced` is 1 where an edit says the
    token.
    """

    def lines() -> Iterator[list[Cell]]:
        for at, step in enumerate(found.steps):
            for rank, one in enumerate(step.candidates, 1):
                before = tokenizer.decode(step.parents[one.parent].tokens)
                numbers = [one.log_prob, one.total, one.score]
                token = tokenizer.token_text(one.token)
                yield [at + 1, rank, one.parent + 1, before, token, one.token, *numbers, one.fate, int(at in found.forced)]

    return written("step rank parent sentence_so_far token id log_prob total score fate forced", lines())


def endings_csv(found: Search, tokenizer: Tokenizer) -> bytes:
    """The n best sentences, and greedy's where it is none of them, each token with what the sentence was worth up to there.

    `rank` is empty for a sentence of greedy's that is not among the n best.
    """
    listed = [(rank, each) for rank, each in enumerate(found.endings, 1)]
    if all(each.ids != found.greedy.ids for _, each in listed):
        listed.append((0, found.greedy))

    def lines() -> Iterator[list[Cell]]:
        for rank, each in listed:
            about: list[Cell] = [rank or None, tokenizer.decode(each.tokens), int(each.ids == found.greedy.ids), int(each.ended)]
            for at, token in enumerate(each.ids):
                penalty = length_penalty(at + 1, found.asked.length_penalty)
                numbers = [each.log_probs[at], each.totals[at], penalty, each.scores[at]]
                yield [*about, at + 1, tokenizer.token_text(token), token, *numbers]

    return written("rank sentence greedy finished step token id log_prob total length_penalty score", lines())


def draws_csv(draws: Sequence[Draw], tokenizer: Tokenizer) -> bytes:
    """Each token of each draw: ln p in the model, the dice, and its probability without and with temperature and cut."""

    def lines() -> Iterator[list[Cell]]:
        for number, each in enumerate(draws, 1):
            for at, token in enumerate(each.ids):
                numbers = [each.log_probs[at], each.dice[at], each.before[at], each.after[at]]
                yield [number, at + 1, tokenizer.token_text(token), token, *numbers]

    return written("draw step token id log_prob dice probability with_temperature_and_cut", lines())


def cut_csv(found: Shape, tokenizer: Tokenizer) -> bytes:
    """One step's distribution, the most probable token first: the model's own, with the temperature, and after the cut."""
    numbers = zip(found.ids.tolist(), found.model, found.tempered, found.after, strict=True)
    rows = ([rank, tokenizer.token_text(i), i, *three] for rank, (i, *three) in enumerate(numbers, 1))
    return written("rank token id probability with_temperature after_cut", rows)
