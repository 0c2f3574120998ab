"""The tiny model that learns live: its tasks, its snapshots, that it learns, and that it notices when it diverges."""

import math

import numpy as np
import pytest
import torch

from viz_core.config import BOS_ID, EOS_ID
from viz_core.training import live
from viz_core.training.live import LiveTrainer, Recipe, Snapshot
from viz_core.training.loss import position_losses, smoothed_cross_entropy, smoothed_target
from viz_core.training.pairs import EXAMPLE, HIGHEST, ORDER, SHORTEST, Examples, Task, decode, encode, pair, solved

SMALL = {"d_model": 32, "n_heads": 2, "n_layers": 1}


@pytest.mark.parametrize(
    ("task", "answer"), [("copy", (4, 10, 4, 1)), ("reverse", (1, 4, 10, 4)), ("sort", (1, 4, 4, 10))], ids=str
)
def test_what_a_task_asks_for(task: Task, answer: tuple[int, ...]) -> None:
    assert solved(task, (4, 10, 4, 1)) == answer
    source, target = pair(task, (4, 10, 4, 1))
    assert (decode(source), decode([*target, EOS_ID])) == ((4, 10, 4, 1), answer)
    assert [EXAMPLE[i] for i in ORDER[task](EXAMPLE)] == list(solved(task, EXAMPLE))


def test_what_is_held_out_never_comes_in_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz_core.training.pairs.LONGEST", SHORTEST)  # so short that by chance alone half of them would come
    examples = Examples("copy", seed=3, held_out=500)
    assert len(set(examples.held_out)) == 500
    assert examples.held_out[0] == EXAMPLE
    drawn = {numbers for _ in range(20) for numbers in examples.batch(64)[0]}
    assert len(drawn) > 300
    assert not drawn & set(examples.held_out)
    assert {number for numbers in drawn for number in numbers} == set(range(1, HIGHEST + 1))


def test_a_batch_is_the_task() -> None:
    drawn, batch = Examples("reverse", seed=0, held_out=5).batch(4)
    for row, numbers in enumerate(drawn):
        size = len(numbers)
        assert batch.source[row, : size + 1].tolist() == [*encode(numbers), EOS_ID]
        assert batch.read[row, : size + 1].tolist() == [BOS_ID, *encode(numbers[::-1])]
        assert batch.predict[row, : size + 1].tolist() == [*encode(numbers[::-1]), EOS_ID]


@pytest.fixture(scope="module")
def learned() -> LiveTrainer:
    """A model that has learned to copy, in about 3 seconds."""
    trainer = LiveTrainer(Recipe(task="copy"))
    while len(trainer.measured) < 160:
        trainer.step()
    return trainer


def test_it_learns(learned: LiveTrainer) -> None:
    first, last = learned.snapshots[0], learned.snapshots[-1]
    assert (first.step, first.accuracy) == (0, 0.0)
    assert last.accuracy > 0.5
    assert np.mean([each.loss for each in learned.measured[-10:]]) < 0.2 < learned.guessing < learned.measured[0].loss
    places = ORDER["copy"](EXAMPLE)
    right = last.weights[:, :, range(len(places)), places].mean(-1)
    assert right.max() > 0.8
    assert first.weights[:, :, range(len(places)), places].mean(-1).max() < 0.3


@pytest.mark.parametrize("trained", [False, True])
def test_a_snapshot_is_what_the_model_computes(trained: bool, learned: LiveTrainer) -> None:
    learned = learned if trained else LiveTrainer(Recipe(**SMALL))  # type: ignore[arg-type]
    shown = learned.snapshot()
    config = learned.model.config
    assert shown.weights.shape == (config.n_layers, config.n_heads, len(EXAMPLE) + 1, len(EXAMPLE) + 1)
    assert np.allclose(shown.weights.sum(-1), 1, atol=1e-5)
    with torch.inference_mode():
        source = torch.tensor([[*encode(EXAMPLE), EOS_ID]])
        ids = [BOS_ID]
        while ids[-1] != EOS_ID and len(ids) <= config.max_len:
            ids.append(int(learned.model(source, torch.tensor([ids]))[0, -1].argmax()))
    assert shown.output == decode(ids[1:])


def test_snapshots_are_bounded_and_spread_over_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = LiveTrainer(Recipe(**SMALL))  # type: ignore[arg-type]
    monkeypatch.setattr(live, "smoothed_cross_entropy", lambda *_: sum(p.sum() for p in trainer.model.parameters()) * 0)
    monkeypatch.setattr(live, "BATCH", 1)
    monkeypatch.setattr(live, "MOST_SNAPSHOTS", 10)
    monkeypatch.setattr(
        trainer, "snapshot", lambda: Snapshot(len(trainer.measured), trainer.snapshots[0].weights, (), 0.0, 0.0, 0.0)
    )
    for _ in range(330):
        trainer.step()
        assert len(trainer.snapshots) <= 10
    steps = [snapshot.step for snapshot in trainer.snapshots]
    assert steps == list(range(0, 330 - 330 % trainer.every + 1, trainer.every))
    assert len(steps) >= 5


def test_a_run_that_diverges_is_caught() -> None:
    trainer = LiveTrainer(Recipe(**SMALL, learning_rate=1e3, warmup=1))  # type: ignore[arg-type]
    assert not trainer.diverged
    while not trainer.diverged and len(trainer.measured) < 60:
        trainer.step()
    assert trainer.diverged
    assert all(math.isfinite(value) for snapshot in trainer.snapshots for value in snapshot.weights.flat)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.6])
def test_the_terms_are_those_of_the_loss(smoothing: float) -> None:
    logits = torch.randn(1, 5, 9, generator=torch.Generator().manual_seed(1))
    true = torch.tensor([[4, 8, 5, 4, 2]])
    losses = position_losses(logits[0].log_softmax(-1).numpy(), true[0].numpy(), smoothing)
    assert float(losses.mean()) == pytest.approx(float(smoothed_cross_entropy(logits, true, smoothing)), rel=1e-6)
    target = smoothed_target(9, 4, smoothing)
    assert target.sum() == pytest.approx(1)
    assert losses[0] == pytest.approx(float(-(target * logits[0, 0].log_softmax(-1).double().numpy()).sum()), rel=1e-6)
