"""The CSV files of training: their numbers are those that the views show."""

import numpy as np
import pytest

from pages.training.compute import RunHistory, example_penalty
from pages.training.downloads import (
    example_csv,
    live_csv,
    translations_csv,
    tuning_csv,
)  # fmt: skip
from tests.app.test_csv_files import rows
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loss import penalty_matrix
from viz_core.training.material import Material
from viz_core.training.run import TrainingStep
from viz_core.training.tuning import Evaluation, PairScore


@pytest.fixture(scope="module")
def run() -> RunHistory:
    trainer = LiveTrainer(Recipe(d_model=32, n_heads=2, guided=1.0))
    for _ in range(10):
        trainer.step()
    return RunHistory.of(trainer)


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
