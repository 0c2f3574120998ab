"""The numbers of each way of decoding, as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pages.decoding.compute import BeamSearch, Draw, TruncatedDistribution
from pages.decoding.copying_compute import CopiedSentence
from pages.decoding.non_autoregressive_compute import Prediction
from viz_core.app.csv_files import Cell, written
from viz_core.decoding import length_penalty
from viz_core.tokenizer import Tokenizer
from viz_core.tokens import TokenizedText
from viz_core.trace import Array


def candidates_csv(found: BeamSearch, tokenizer: Tokenizer) -> bytes:
    """Every candidate of each step, the best first, with its scores and its fate.

    `parent` is the rank, among the unfinished hypotheses, of the one that it continues; `forced` is 1 where an edit forces it.
    """

    def lines() -> Iterator[list[Cell]]:
        for at, step in enumerate(found.steps):
            for rank, one in enumerate(step.candidates, 1):
                before = tokenizer.decode(step.parents[one.parent].tokens)
                numbers = [one.log_prob, one.total, one.score]
                token = tokenizer.token_text(one.token)
                yield [at + 1, rank, one.parent + 1, before, token, one.token, *numbers, one.fate, int(at in found.forced)]

    return written("step rank parent sentence_so_far token id log_prob total score fate forced", lines())


def hypotheses_csv(found: BeamSearch, tokenizer: Tokenizer) -> bytes:
    """The n best hypotheses, and greedy's where it is none of them, each token with the score up to there.

    `rank` is empty for greedy's sentence where it is not among the n best.
    """
    listed = [(rank, each) for rank, each in enumerate(found.hypotheses, 1)]
    if all(each.ids != found.greedy.ids for _, each in listed):
        listed.append((0, found.greedy))

    def lines() -> Iterator[list[Cell]]:
        for rank, each in listed:
            about: list[Cell] = [rank or None, tokenizer.decode(each.tokens), int(each.ids == found.greedy.ids), int(each.ended)]
            for at, token in enumerate(each.ids):
                penalty = length_penalty(at + 1, found.options.length_penalty)
                numbers = [each.log_probs[at], each.totals[at], penalty, each.scores[at]]
                yield [*about, at + 1, tokenizer.token_text(token), token, *numbers]

    return written("rank sentence greedy finished step token id log_prob total length_penalty score", lines())


def draws_csv(draws: Sequence[Draw], tokenizer: Tokenizer) -> bytes:
    """Each token of each draw: ln p, the random number, and its probability without and with temperature and truncation."""

    def lines() -> Iterator[list[Cell]]:
        for number, each in enumerate(draws, 1):
            for at, token in enumerate(each.ids):
                numbers = [each.log_probs[at], each.dice[at], each.before[at], each.after[at]]
                yield [number, at + 1, tokenizer.token_text(token), token, *numbers]

    return written("draw step token id log_prob random_number probability with_temperature_and_truncation", lines())


def distribution_csv(found: TruncatedDistribution, tokenizer: Tokenizer) -> bytes:
    """One step's distribution, the most probable token first: the model's own, with the temperature, and truncated."""
    numbers = zip(found.ids.tolist(), found.model, found.tempered, found.after, strict=True)
    rows = ([rank, tokenizer.token_text(i), i, *three] for rank, (i, *three) in enumerate(numbers, 1))
    return written("rank token id probability with_temperature truncated", rows)


def copying_csv(found: CopiedSentence, source: TokenizedText, tokenizer: Tokenizer) -> bytes:
    """A line for each output token and source token: the heads' attention, the copy distribution, and the gate.

    `probability` is p_gen · p_vocab + (1 − p_gen) · the sum of `a` over the lines with `same`, where both tokens are equal.
    """

    def lines() -> Iterator[list[Cell]]:
        for step, token in enumerate(found.tokens, 1):
            about: list[Cell] = [step, tokenizer.token_text(token.id), token.id, token.probability, token.in_vocab, token.p_gen]
            for at, from_token in enumerate(source.tokens):
                numbers = [float(token.mix[at]), float(token.a[at])]
                yield [*about, at + 1, from_token.text, int(at in token.sources), *numbers]

    return written("step token id probability p_vocab p_gen source_position source_token same heads a", lines())


def passes_csv(found: Prediction, tokenizer: Tokenizer, hidden: str) -> bytes:
    """A line for each position after each pass; `changed` is 1 where the pass before left another token there.

    Args:
        hidden: what the column is called that is 1 where `PredictedPass.hidden` holds: `masked`, or what it means without masks.
    """

    def lines() -> Iterator[list[Cell]]:
        before = found.passes[0].ids
        for number, one in enumerate(found.passes, 1):
            positions = zip(one.ids, before, one.probabilities, one.hidden, strict=True)
            for place, (token, was, probability, is_hidden) in enumerate(positions, 1):
                yield [number, place, tokenizer.token_text(token), token, probability, int(is_hidden), int(token != was)]
            before = one.ids

    return written(f"pass position token id probability {hidden} changed", lines())


def lengths_csv(tried: Sequence[Prediction], tokenizer: Tokenizer) -> bytes:
    """The lengths that were tried, the best mean of ln p first; `probability` is empty where the length was given."""
    rows = ([len(each.ids), each.chance, each.passes[-1].mean, tokenizer.decode(each.ids)] for each in tried)
    return written("tokens probability mean_log_prob sentence", rows)


def rivals_csv(series: Mapping[str, Array], tokens: Sequence[int], tokenizer: Tokenizer) -> bytes:
    """The probabilities of a few tokens at two neighbouring positions.

    Args:
        series: column → probabilities of the whole vocabulary, (V,).
        tokens: the ids that are shown.
    """

    def lines() -> Iterator[list[Cell]]:
        for token in tokens:
            yield [tokenizer.token_text(token), token, *(float(values[token]) for values in series.values())]

    return written(" ".join(["token id", *series]), lines())
