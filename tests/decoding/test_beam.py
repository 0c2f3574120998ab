"""Beam search against greedy, against all sentences there are, and against a slow search without a cache."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.conftest import MakeModel
from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.decoding import BeamSettings, BeamStep, Hypothesis, beam_search, beam_steps, greedy, length_penalty
from viz_core.decoding.hypothesis import best_tokens
from viz_core.model import Transformer
from viz_core.model.blocks import LayerNorm
from viz_core.model.embedding import pad
from viz_core.taps import OFF, Editor, Tap

Scored = list[tuple[tuple[int, ...], float]]
ENDS = (EOS_ID, PAD_ID)
SOURCES = [[300, 301, 302, EOS_ID], [310, 311, 312, 313, 314, 315, EOS_ID], [320, EOS_ID], [330, 331, EOS_ID]]
SMALL = 6  # tokens of a vocabulary so small that one can try all sentences; four of them end none
SMALL_SOURCES = [[3, 4, 5, EOS_ID], [5, 3, EOS_ID], [4, 4, 4, 3, 5, EOS_ID], [3, EOS_ID], [5, 5, 1, EOS_ID], [4, 1, 3, EOS_ID]]
ALPHAS = [0.0, 0.6, 2.0]


def best_of(
    model: Transformer, source: Tensor, *given: Any, tap: Tap = OFF, whole: bool = False, **named: Any
) -> list[list[Hypothesis]]:
    """As `beam_search`, edited and with forced tokens as well."""
    settings = BeamSettings(*given, **named)
    *_, last = beam_steps(model, source, settings, tap, whole)
    found = [step.ranked(settings.n_best) for step in last]
    if tap is OFF and not whole and not settings.forced:
        assert beam_search(model, source, *given, **named) == found
    return found


def one_search(
    model: Transformer, source: Tensor, *given: Any, tap: Tap = OFF, whole: bool = False, **named: Any
) -> Iterator[BeamStep]:
    return (step for (step,) in beam_steps(model, source, BeamSettings(*given, **named), tap, whole))


@pytest.fixture(scope="module")
def small(make_model: MakeModel) -> Transformer:
    """A model of six tokens, sure enough of its next one and slow enough to end that searches of different size differ."""
    model = make_model(source_vocab=SMALL, target_vocab=SMALL, tied_embeddings=False)
    model.generator.weight.mul_(3)
    # LayerNorm's states are γ·n + β with Σ n = 0, so their product with 1/γ is always Σ β/γ: a constant that weights can have.
    norm = model.decoder.norm
    assert isinstance(norm, LayerNorm)
    model.generator.weight[list(ENDS)] -= 3 / norm.gamma / (norm.beta / norm.gamma).sum()  # the logits of the ends, less 3
    return model


def log_probs_after(model: Transformer, source: Sequence[int], prefixes: Sequence[Sequence[int]]) -> list[list[float]]:
    """The log-probability of each token after each of equally long prefixes, by one whole pass."""
    target = torch.tensor([[BOS_ID, *prefix] for prefix in prefixes])
    rows: list[list[float]] = model(torch.tensor([source] * len(prefixes)), target)[:, -1].double().tolist()
    return rows


def ranked(ended: Scored, unfinished: Scored, alpha: float) -> Scored:
    """Best first by total / lp; those that have not ended behind all that have."""

    def score(one: tuple[tuple[int, ...], float]) -> float:
        return one[1] / math.pow((5 + len(one[0])) / 6, alpha)

    both = [*sorted(ended, key=score, reverse=True), *sorted(unfinished, key=score, reverse=True)]
    return [(one[0], score(one)) for one in both]


@cache
def slow_beam(model: Transformer, source: tuple[int, ...], size: int, steps: int) -> tuple[Scored, Scored]:
    """Beam search as in a textbook: to the last step, no cache, no batch, whole rows sorted."""
    ended: Scored = []
    alive: Scored = [((), 0.0)]
    for _ in range(steps):
        grown: Scored = []
        for ids, total in alive:
            (row,) = log_probs_after(model, source, [ids])
            grown += [((*ids, i), total + log_prob) for i, log_prob in enumerate(row)]
        grown.sort(key=lambda one: one[1], reverse=True)
        ended += [one for one in grown[:size] if one[0][-1] in ENDS]
        alive = [one for one in grown if one[0][-1] not in ENDS][:size]
    return ended, alive


def assert_same(found: Sequence[Hypothesis], expected: Scored) -> None:
    assert [each.ids for each in found] == [ids for ids, _ in expected]
    assert [each.score for each in found] == pytest.approx([score for _, score in expected], abs=1e-4)


def ids_of(found: list[list[Hypothesis]]) -> list[list[tuple[int, ...]]]:
    return [[each.ids for each in one] for one in found]


def test_beam_of_one_is_greedy_where_sentences_end(small: Transformer) -> None:
    dice = torch.Generator().manual_seed(1)
    source = torch.randint(1, SMALL, (60, 7), generator=dice)
    written = greedy(small, source, 12)
    assert len({len(row) for row in written}) > 3
    assert [list(one[0].tokens) for one in best_of(small, source, 1, 12)] == written


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("size", [2, 5])
def test_equals_a_slow_search_without_a_cache(small: Transformer, size: int, alpha: float) -> None:
    for source in SMALL_SOURCES[:4]:
        (found,) = best_of(small, torch.tensor([source]), size, 8, alpha, n_best=size)
        assert_same(found, ranked(*slow_beam(small, tuple(source), size, 8), alpha)[:size])


@pytest.mark.parametrize("size", [1, 4])
def test_a_batch_gives_what_each_sentence_alone_gives(small: Transformer, model: Transformer, size: int) -> None:
    for each, sources in ((small, SMALL_SOURCES), (model, SOURCES)):
        together = list(beam_steps(each, pad(sources), BeamSettings(size, 9, 0.6, n_best=2)))
        for i, source in enumerate(sources):
            alone = list(one_search(each, torch.tensor([source]), size, 9, 0.6, n_best=2))
            mine = [step[i] for step in together]
            for one, other in zip(mine, alone, strict=False):
                assert [(c.parent, c.token, c.fate) for c in one.candidates] == [
                    (c.parent, c.token, c.fate) for c in other.candidates
                ]
                assert [c.total for c in one.candidates] == pytest.approx([c.total for c in other.candidates], abs=1e-4)
            for late in mine[len(alone) :]:  # others go on
                assert late.done and late.candidates == () and late.finished == alone_like(alone[-1], mine)
            assert [h.ids for h in mine[-1].ranked(2)] == [h.ids for h in alone[-1].ranked(2)]
    assert len({len(list(one_search(small, torch.tensor([s]), size, 9, 0.6, n_best=2))) for s in SMALL_SOURCES}) > 1


def alone_like(last: BeamStep, mine: list[BeamStep]) -> tuple[Hypothesis, ...]:
    """What was finished when the sentence was done."""
    done = next(step for step in mine if step.done)
    assert [each.ids for each in done.finished] == [each.ids for each in last.finished]
    return done.finished


@pytest.mark.parametrize(("size", "alpha"), [(1, 0.6), (2, 0.0), (4, 5.0)])
def test_stopping_early_changes_no_result(small: Transformer, size: int, alpha: float) -> None:
    source = torch.randint(1, SMALL, (30, 5), generator=torch.Generator().manual_seed(size))
    late = ids_of(best_of(small, source, size, 14, alpha, n_best=3, early_stop=False))
    for n_best in (1, 3):
        early = ids_of(best_of(small, source, size, 14, alpha, n_best, early_stop=True))
        assert early == [each[:n_best] for each in late]


def test_a_search_goes_on_as_long_as_it_can_be_beaten_and_no_longer(small: Transformer) -> None:
    for source in SMALL_SOURCES:
        for number, step in enumerate(one_search(small, torch.tensor([source]), 3, 20, 0.6, n_best=2), start=1):
            best_to_come = max((each.total for each in step.live), default=-math.inf) / (25 / 6) ** 0.6
            assert step.reachable == pytest.approx(best_to_come)
            certain = len(step.finished) >= 2 and step.finished[1].score >= best_to_come
            assert step.done == (certain or number == 20)


@pytest.mark.parametrize(("size", "alpha"), [(1, 0.0), (3, 0.6), (10, 2.0)])
def test_the_books_are_right(small: Transformer, model: Transformer, size: int, alpha: float) -> None:
    for each, source in ((small, SMALL_SOURCES[2]), (model, SOURCES[1])):
        live: tuple[Hypothesis, ...] = (Hypothesis(),)
        finished: list[Hypothesis] = []
        for number, step in enumerate(one_search(each, torch.tensor([source]), size, 12, alpha, early_stop=False), start=1):
            assert step.parents == live
            kept, ended, pruned = ([c for c in step.candidates if c.fate == fate] for fate in ("kept", "finished", "pruned"))
            for c in step.candidates:
                assert c.log_prob <= 0
                assert c.total == step.parents[c.parent].total + c.log_prob
                assert c.score == c.total / length_penalty(number, alpha)
            assert list(step.candidates) == sorted(step.candidates, key=lambda c: (-c.total, c.parent, c.token))
            assert len({(c.parent, c.token) for c in step.candidates}) == len(step.candidates)
            per_parent = min(size + 2, each.config.target_vocab)
            assert len(step.candidates) == per_parent * len(step.parents)
            assert len(kept) == min(size, sum(c.token not in ENDS for c in step.candidates))
            assert all(c.token not in ENDS for c in kept)
            assert ended == [c for c in step.candidates[:size] if c.token in ENDS]
            worst = kept[-1].total if kept else 0.0
            assert all(c.total <= worst or c.token in ENDS for c in pruned)
            live = tuple(step.parents[c.parent].then(c.token, c.log_prob, c.total, c.score) for c in kept)
            assert step.live == live
            finished += [step.parents[c.parent].then(c.token, c.log_prob, c.total, c.score, ended=True) for c in ended]
            assert list(step.finished) == sorted(finished, key=lambda h: -h.score)
            assert step.best == (max(finished, key=lambda h: h.score) if finished else None)
            for h in (*step.live, *step.finished):
                assert h.total == pytest.approx(math.fsum(h.log_probs))
                assert len(h.ids) == len(h.log_probs) == len(h.totals) == len(h.scores)


def test_a_search_that_is_cut_hands_out_unfinished_sentences_last(make_model: MakeModel) -> None:
    model = make_model()
    model.generator.weight[[EOS_ID, PAD_ID]] = 0
    (found,) = best_of(model, torch.tensor(SOURCES[:1]), 3, 5, n_best=3)
    assert [len(each.ids) for each in found] == [5] * 3
    assert not any(each.ended for each in found)
    assert found[0].tokens == found[0].ids
    assert len(best_of(model, torch.tensor(SOURCES[:1]), 2, 10_000)[0][0].ids) == model.config.max_len


def test_equal_tokens_go_by_parent_and_then_by_id(model: Transformer) -> None:
    flat = Editor({"output.logits": torch.zeros_like})
    steps = list(one_search(model, torch.tensor(SOURCES[:1]), 3, 3, tap=flat))
    assert [(c.parent, c.token, c.fate) for c in steps[0].candidates] == [
        (0, PAD_ID, "finished"), (0, 1, "kept"), (0, EOS_ID, "finished"), (0, 3, "kept"), (0, 4, "kept"),
    ]  # fmt: skip
    again = list(one_search(model, torch.tensor(SOURCES[:1]), 3, 3, early_stop=False, tap=flat))[1]
    assert [(c.parent, c.token) for c in again.candidates] == [(parent, token) for parent in range(3) for token in range(5)]


def test_best_tokens_are_those_of_a_stable_sort() -> None:
    dice = torch.Generator().manual_seed(0)
    for steps in (3, 40, 10**6):  # of values: nearly all equal, some equal, none
        logits = torch.randint(steps, (4, 300), generator=dice) / 100
        expected = logits.sort(dim=-1, descending=True, stable=True).indices
        log_probs, ids = best_tokens(logits, 7)
        assert torch.equal(ids, expected[:, :7])
        assert (log_probs - logits.double().log_softmax(-1).gather(-1, ids)).abs().max() < 1e-5


def test_reading_everything_anew_gives_what_the_cache_gives(small: Transformer) -> None:
    cached, anew = (best_of(small, pad(SMALL_SOURCES), 4, 8, 0.6, n_best=4, whole=whole) for whole in (False, True))
    assert ids_of(cached) == ids_of(anew)


FORCED = {1: 4, 3: 5}


@pytest.mark.parametrize("size", [2, 4])
def test_a_forced_token_stands_in_every_sentence_that_gets_so_far_and_counts(small: Transformer, size: int) -> None:
    source = SMALL_SOURCES[2]
    *_, last = steps = list(one_search(small, torch.tensor([source]), size, 8, early_stop=False, forced=FORCED))
    for at, token in FORCED.items():
        assert {one.token for one in steps[at].candidates} == {token}
        assert [one.fate for one in steps[at].candidates] == ["kept"] * len(steps[at].parents)  # nobody is in their way
    found = [*last.finished, *last.live]
    assert sum(len(one.ids) > 3 for one in found) > 1
    for one in found:
        assert all(one.ids[at] == token for at, token in FORCED.items() if at < len(one.ids))
        own = [log_probs_after(small, source, [one.ids[:at]])[0][token] for at, token in enumerate(one.ids)]
        assert one.log_probs == pytest.approx(own, abs=1e-5)
        assert one.total == pytest.approx(sum(own), abs=1e-4)
