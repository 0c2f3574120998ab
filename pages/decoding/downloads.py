"""The numbers of each way of decoding, as CSV."""

from collections.abc import Iterator, Mapping, Sequence

from pages.decoding.compute import Draw, TruncatedDistribution
from pages.decoding.copying_compute import CopiedSentence
from pages.decoding.non_autoregressive_compute import Prediction
from viz_core.analysis.search import BeamSearch, listed
from viz_core.app.csv_files import Cell, csv_file, written
from viz_core.decoding import length_penalty
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array
from viz_core.words import TokenizedText

Lines = Iterator[list[Cell]]


@csv_file("step rank parent sentence_so_far token id log_prob total score fate forced")
def candidates_csv(found: BeamSearch, tokenizer: Tokenizer) -> Lines:
    """Every candidate of each step, the best first, with its scores and its fate.

    `parent` is the rank, among the unfinished hypotheses, of the one that it continues; `forced` is 1 where an edit forces it.
    """
    for at, step in enumerate(found.steps):
        for rank, candidate in enumerate(step.candidates, 1):
            parent = step.parents[candidate.parent]
            token = tokenizer.decode(parent.tokens), tokenizer.token_text(candidate.token), candidate.token
            numbers = candidate.log_prob, candidate.total, candidate.score
            yield [at + 1, rank, candidate.parent + 1, *token, *numbers, candidate.fate, int(at in found.forced)]


@csv_file("rank sentence greedy finished step token id log_prob total length_penalty score")
def hypotheses_csv(found: BeamSearch, tokenizer: Tokenizer) -> Lines:
    """The n best hypotheses, and greedy's if it is not among them: each token with the score up to there.

    `rank` is empty for greedy's sentence where it is not among the n best.
    """
    ranked = {hypothesis.ids: rank for rank, hypothesis in enumerate(found.hypotheses, 1)}
    for hypothesis in listed(found):
        about: list[Cell] = [
            ranked.get(hypothesis.ids),
            tokenizer.decode(hypothesis.tokens),
            int(hypothesis.ids == found.greedy.ids),
            int(hypothesis.ended),
        ]
        for at, token in enumerate(hypothesis.ids):
            penalty = length_penalty(at + 1, found.options.length_penalty)
            numbers = [hypothesis.log_probs[at], hypothesis.totals[at], penalty, hypothesis.scores[at]]
            yield [*about, at + 1, tokenizer.token_text(token), token, *numbers]


@csv_file("draw step token id log_prob random_number probability with_temperature_and_truncation")
def draws_csv(draws: Sequence[Draw], tokenizer: Tokenizer) -> Lines:
    """Each token of each draw: ln p, the random number, and its probability without and with temperature and truncation."""
    for number, draw in enumerate(draws, 1):
        columns = zip(draw.ids, draw.log_probs, draw.dice, draw.before, draw.after, strict=True)
        for step, (token, *numbers) in enumerate(columns, 1):
            yield [number, step, tokenizer.token_text(token), token, *numbers]


@csv_file("rank token id probability with_temperature truncated")
def distribution_csv(found: TruncatedDistribution, tokenizer: Tokenizer) -> Lines:
    """One step's distribution, the most probable token first: the model's own, with the temperature, and truncated."""
    columns = zip(found.ids.tolist(), found.model, found.tempered, found.after, strict=True)
    for rank, (token, *numbers) in enumerate(columns, 1):
        yield [rank, tokenizer.token_text(token), token, *numbers]


@csv_file("step token id probability p_vocab p_gen source_position source_token same heads a")
def copying_csv(found: CopiedSentence, source: TokenizedText, tokenizer: Tokenizer) -> Lines:
    """A line for each output token and source token: the heads' attention, the copy distribution, and the gate.

    `probability` is p_gen · p_vocab + (1 − p_gen) · the sum of `a` over the lines with `same`, where both tokens are equal.
    """
    for step, token in enumerate(found.tokens, 1):
        about: list[Cell] = [step, tokenizer.token_text(token.id), token.id, token.probability, token.in_vocab, token.p_gen]
        for at, from_token in enumerate(source.tokens):
            yield [*about, at + 1, from_token.text, int(at in token.sources), float(token.mix[at]), float(token.a[at])]


def passes_csv(found: Prediction, tokenizer: Tokenizer, hidden: str) -> bytes:
    """A line for each position after each pass; `changed` is 1 where the pass before left another token there.

    Args:
        hidden: what the column is called that is 1 where `PredictedPass.hidden` holds: `masked`, or what it means without masks.
    """

    def lines() -> Lines:
        before = found.passes[0].ids
        for number, predicted in enumerate(found.passes, 1):
            positions = zip(predicted.ids, before, predicted.probabilities, predicted.hidden, strict=True)
            for place, (token, was, probability, is_hidden) in enumerate(positions, 1):
                yield [number, place, tokenizer.token_text(token), token, probability, int(is_hidden), int(token != was)]
            before = predicted.ids

    return written(f"pass position token id probability {hidden} changed", lines())


@csv_file("tokens probability mean_log_prob sentence")
def lengths_csv(tried: Sequence[Prediction], tokenizer: Tokenizer) -> Lines:
    """The lengths that were tried, the best mean of ln p first; `probability` is empty where the length was given."""
    for prediction in tried:
        yield [len(prediction.ids), prediction.chance, prediction.passes[-1].mean, tokenizer.decode(prediction.ids)]


def rivals_csv(series: Mapping[str, Array], tokens: Sequence[int], tokenizer: Tokenizer) -> bytes:
    """The probabilities of a few tokens, by id, at two neighbouring positions. series: column → (V,)."""
    rows: Lines = ([tokenizer.token_text(i), i, *(float(values[i]) for values in series.values())] for i in tokens)
    return written(" ".join(["token id", *series]), rows)
