"""What a cut leaves of a distribution, and that the draws follow it."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.decoding import filtered, greedy, sample_steps
from viz_core.decoding.greedy import tokens_of
from viz_core.decoding.sampling import stream
from viz_core.model import Transformer
from viz_core.taps import Editor

SOURCE = torch.tensor([[300, 301, 302, EOS_ID]])
EIGHT = torch.tensor([0.05, 0.30, 0.02, 0.25, 0.20, 0.10, 0.05, 0.03]).log()
CUTS = [
    {}, {"temperature": 0.6}, {"temperature": 1.7}, {"top_k": 4}, {"top_p": 0.8}, {"temperature": 1.4, "top_k": 6, "top_p": 0.7},
]  # fmt: skip


def sample(*given: Any, **named: Any) -> list[list[int]]:
    """The tokens of each draw, without special ones."""
    return tokens_of(sample_steps(*given, **named), given[0].config)


def by_hand(probabilities: list[float], temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> list[float]:
    """Temperature, then top-k, then top-p, in plain Python."""
    weights = [p ** (1 / temperature) for p in probabilities]
    order = sorted(range(len(weights)), key=lambda i: (-weights[i], i))[: top_k or None]
    mass = sum(weights[i] for i in order)
    kept, reached = [], 0.0
    for i in order:
        kept.append(i)
        reached += weights[i] / mass
        if reached >= top_p:
            break
    left = sum(weights[i] for i in kept)
    return [weights[i] / left if i in kept else 0.0 for i in range(len(weights))]


@pytest.mark.parametrize("settings", CUTS, ids=str)
def test_the_cut_is_that_of_its_definition(settings: dict[str, float]) -> None:
    cut = filtered(EIGHT, **settings)  # type: ignore[arg-type]
    expected = by_hand(EIGHT.double().exp().tolist(), **settings)  # type: ignore[arg-type]
    assert cut.probabilities.tolist() == pytest.approx(expected, abs=1e-6)
    assert cut.kept.tolist() == [p > 0 for p in expected]
    assert int(cut.count) == sum(p > 0 for p in expected)
    tempered = by_hand(EIGHT.double().exp().tolist(), settings.get("temperature", 1.0))
    assert cut.tempered.tolist() == pytest.approx(tempered, abs=1e-6)
    assert float(cut.mass_cut) == pytest.approx(sum(t for t, p in zip(tempered, expected, strict=True) if not p), abs=1e-6)
    assert cut.order.tolist() == [1, 3, 4, 5, 0, 6, 7, 2]
    assert cut.kept[cut.order[: int(cut.count)]].all()


@pytest.mark.parametrize(
    "bad",
    [{"temperature": t} for t in (0, -1, math.nan, math.inf)] + [{"top_k": -1}, {"top_p": 0}, {"top_p": 1.01}, {"top_p": math.nan}],
)
def test_settings_out_of_range_are_refused(model: Transformer, bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(bad))):
        filtered(EIGHT, **bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=next(iter(bad))):
        next(sample_steps(model, SOURCE, 3, **bad))  # type: ignore[arg-type]


def test_a_draw_depends_on_the_seed_and_its_index_alone(model: Transformer) -> None:
    ten, three, one = (sample(model, SOURCE, 12, seed=4, draws=n) for n in (10, 3, 1))
    assert ten[:3] == three
    assert ten[:1] == one
    assert len(set(map(tuple, ten))) == 10
    assert sample(model, SOURCE, 12, seed=4, draws=10) == ten
    assert sample(model, SOURCE, 12, seed=5, draws=10) != ten


def test_a_forced_token_stands_in_every_draw_and_later_dice_stay_the_same(model: Transformer) -> None:
    free, steps = (list(sample_steps(model, SOURCE, 6, top_k=2, seed=4, draws=5, forced=forced)) for forced in ({}, {2: 337}))
    assert [step.ids.tolist() for step in steps[:2]] == [step.ids.tolist() for step in free[:2]]
    assert steps[2].ids.tolist() == [337] * 5
    assert (steps[2].after == 0).all()  # the cut would have left it out
    assert torch.equal(steps[2].before, steps[2].log_probs[:, 337].exp())
    assert all(torch.equal(one.dice, other.dice) for one, other in zip(free, steps, strict=True))
    assert [row[2] for row in sample(model, SOURCE, 6, top_k=1, draws=2, forced={2: 337})] == [337, 337]


@pytest.mark.parametrize("settings", [{"top_k": 1}, {"top_p": 1e-9}, {"temperature": 1e-6}], ids=str)
def test_a_cut_to_one_token_is_greedy(model: Transformer, shipped: Checkpoint, settings: dict[str, float]) -> None:
    sentence = torch.tensor([[*shipped.tokenizer.encode("My brother bought a new bicycle yesterday.", "en").ids, EOS_ID]])
    for each, source in ((model, SOURCE), (shipped.model, sentence)):
        assert sample(each, source, 20, draws=3, seed=9, **settings) == greedy(each, source, 20) * 3  # type: ignore[arg-type]


def test_each_step_is_the_models_own_and_its_draw_can_be_checked(model: Transformer) -> None:
    steps = list(sample_steps(model, SOURCE, 8, 1.2, 50, 0.9, seed=3, draws=4))
    written = torch.stack([step.ids for step in steps], dim=1)  # (n, T)
    read = torch.cat([torch.full((4, 1), BOS_ID), written[:, :-1]], dim=1)
    whole = model(SOURCE.expand(4, -1), read)  # (n, T, V)
    streams = [stream(3, draw) for draw in range(4)]
    for t, step in enumerate(steps):
        assert step.dice.tolist() == [float(torch.rand((), generator=each, dtype=torch.float64)) for each in streams]
        going = step.going
        assert torch.equal(going, ~torch.isin(written[:, :t], torch.tensor([EOS_ID, PAD_ID])).any(1))
        assert (step.log_probs - whole[:, t])[going].abs().max() < 1e-4
        for n in going.nonzero()[:, 0].tolist():
            chosen, cut = int(step.ids[n]), step.cut
            assert cut.kept[n, chosen]
            assert float(step.before[n]) == pytest.approx(float(step.log_probs[n, chosen].exp()))
            assert float(step.after[n]) == float(cut.probabilities[n, chosen]) > float(cut.tempered[n, chosen])
            rank = cut.order[n].tolist().index(chosen)
            left = float(cut.probabilities[n, cut.order[n, :rank]].double().sum())
            assert left - 1e-6 <= float(step.dice[n]) <= left + float(step.after[n]) + 1e-6


def test_nothing_but_nan_ends_every_draw(model: Transformer) -> None:
    def spoil(logits: Tensor) -> Tensor:
        return logits * math.nan

    (step,) = sample_steps(model, SOURCE, 9, draws=3, tap=Editor({"output.logits": spoil}))
    assert step.ids.tolist() == [PAD_ID] * 3
    assert sample(model, SOURCE, 9, draws=3, tap=Editor({"output.logits": spoil})) == [[], [], []]
