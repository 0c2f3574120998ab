"""The CSV files of training: their numbers are those that the views show."""

from __future__ import annotations

import numpy as np
import pytest

from pages.training.compute import RunHistory, SnapshotPrediction, example_penalty
from pages.training.controls import SHOW
from pages.training.downloads import (
    example_csv,
    guided_csv,
    history_csv,
    live_csv,
    loss_csv,
    mixed_csv,
    noam_csv,
    smoothing_csv,
    snapshots_csv,
    translations_csv,
    tuning_csv,
)  # fmt: skip
from tests.app.test_csv_files import rows
from tests.pages.test_all_pages import ROOT
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.texts import texts
from viz_core.training import history
from viz_core.training.live import LiveTrainer, Recipe, TrainingStep
from viz_core.training.loss import loss_of_probability, penalty_matrix, position_losses, row_penalties
from viz_core.training.material import Material
from viz_core.training.scheduled import second_reading
from viz_core.training.settings import noam
from viz_core.training.tuning import Evaluation, PairScore


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, "I love you.")


@pytest.fixture(scope="module")
def run() -> RunHistory:
    trainer = LiveTrainer(Recipe(d_model=32, n_heads=2, guided=1.0))
    for _ in range(10):
        trainer.step()
    return RunHistory.of(trainer)


def test_every_view_has_a_label_of_its_numbers() -> None:
    assert len(texts("training")["downloads"]) >= len(SHOW.options)


def test_a_live_run_step_by_step(run: RunHistory) -> None:
    lines = rows(live_csv(run))
    assert [float(line["loss"]) for line in lines] == [each.loss for each in run.measured]
    assert [float(line["guided_penalty"]) for line in lines] == [each.paid for each in run.measured]
    shown = {each.step: each.accuracy for each in run.snapshots if each.step}
    assert {int(line["step"]): float(line["sequence_accuracy"]) for line in lines if line["sequence_accuracy"]} == shown


def test_the_attention_of_the_example(run: RunHistory) -> None:
    last = run.snapshots[-1]
    lines = rows(example_csv(last, run.recipe))
    assert [float(line["weight"]) for line in lines] == last.weights.reshape(-1).tolist()
    cost = penalty_matrix(*last.weights.shape[2:]).reshape(-1)
    heads = last.weights.shape[0] * last.weights.shape[1] * last.weights.shape[2]
    paid = sum(float(line["weight"]) * w for line, w in zip(lines, np.tile(cost, len(lines) // len(cost)), strict=True)) / heads
    assert paid == pytest.approx(example_penalty(last), rel=1e-5)


def test_the_loss_position_by_position(ex: Explanation) -> None:
    log_probs, true = ex.trace.array("output.log_probs"), np.array([token.id for token in ex.output])
    losses, hard = position_losses(log_probs, true, 0.1), position_losses(log_probs, true, 0.0)
    lines = rows(loss_csv(ex, losses, hard, 0.1))
    assert [float(line["loss"]) for line in lines] == losses.tolist()
    assert [float(line["minus_log_prob"]) for line in lines] == hard.tolist()
    assert [line["should_write"] for line in lines] == [token.text for token in ex.output]


def test_the_mixture_position_by_position(ex: Explanation) -> None:
    reading = second_reading(ex.target.ids, ex.trace.array("output.log_probs"), 0.5, 2)
    forced, mixed = np.arange(len(ex.output)) / 7, np.arange(len(ex.output)) / 3
    lines = rows(mixed_csv(ex, reading, forced, mixed))
    assert [int(line["read_id"]) for line in lines] == list(reading.ids)
    assert [line["own_word"] == "1" for line in lines] == list(reading.own)
    assert [float(line["minus_log_prob"]) for line in lines] == mixed.tolist()
    assert [float(line["teacher_forcing"]) for line in lines] == forced.tolist()


def test_the_cells_of_guided_attention_sum_to_the_rows() -> None:
    weights, cost = np.array([[0.75, 0.25], [0.5, 0.5]]), penalty_matrix(2, 2)
    lines = rows(guided_csv(weights, cost, ["a", "b"], ["x", "y"]))
    paid = [sum(float(line["attention_times_penalty"]) for line in lines if line["query"] == query) for query in "ab"]
    assert paid == pytest.approx(row_penalties(weights, cost).tolist())
    assert [(line["query"], line["key"]) for line in lines] == [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]


def test_the_learning_rate_and_the_smoothed_loss() -> None:
    lines = rows(noam_csv(20, 64, 4, [(10, 0.5)]))
    assert [float(line["learning_rate"]) for line in lines] == [noam(step, 64, 4) for step in range(1, 21)]
    assert [line["step"] for line in lines if line["logged"]] == ["10"]
    shares = np.array([0.1, 0.9])
    lines = rows(smoothing_csv(shares, 50, (0.0, 0.1)))
    assert [float(line["loss_epsilon_0.1"]) for line in lines] == loss_of_probability(shares, 50, 0.1).tolist()


def test_the_history_of_a_checkpoint() -> None:
    found = history.read(ROOT / "checkpoints" / "en-de")
    assert found
    lines = rows(history_csv(found))
    for column, points in (("loss", found.loss), ("learning_rate", found.rate), ("bleu_averaged", found.averaged)):
        assert [(int(line["step"]), float(line[column])) for line in lines if line[column]] == list(points)


def test_each_correct_token_under_each_snapshot(ex: Explanation, shipped: Checkpoint) -> None:
    count = len(ex.output)
    ids = tuple(token.id for token in ex.output)
    found = [SnapshotPrediction(step, np.linspace(-3, -1, count, dtype=np.float32), ids, ids) for step in (0, None)]
    lines = rows(snapshots_csv(found, ex, shipped.tokenizer))
    assert [line["step"] for line in lines] == ["0"] * count + [""] * count
    assert [np.float32(line["log_prob"]) for line in lines[:count]] == found[0].log_probs.tolist()
    assert [int(line["top_id"]) for line in lines[:count]] == list(ids)


def test_fine_tuning_step_by_step_and_its_translations() -> None:
    first, last = PairScore(2.0, 10.0, 0, ("x",)), PairScore(1.0, 50.0, 1, ("y",))
    evaluations = [Evaluation(0, first, None), Evaluation(2, last, None)]
    lines = rows(tuning_csv([TrainingStep(1, 3.0, 0.1), TrainingStep(2, 2.5, 0.2)], evaluations))
    assert [(line["step"], line["batch_loss"], line["held_out_bleu"]) for line in lines] == [
        ("0", "", "10.0"), ("1", "3.0", ""), ("2", "2.5", "50.0"),
    ]  # fmt: skip
    material = Material("mine", learn=(("a", "b"),), held_out=(("c", "d"),), everyday=(), more=())
    (line,) = rows(translations_csv(material, evaluations))
    assert [line[name] for name in ("kind", "source", "reference", "before", "now")] == ["held out", "c", "d", "x", "y"]
