"""The CSV files of training: their numbers are those that the views show."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pages.training import fine_tuning, live
from pages.training.compute import RunHistory, example_penalty
from tests.app.test_csv_files import rows
from viz_core.app.csv_files import Rows, written
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loss import penalty_matrix
from viz_core.training.material import Material
from viz_core.training.run import TrainingStep
from viz_core.training.tuning import Evaluation, PairScore


class Offers(dict[str, list[dict[str, str]]]):
    """In place of a page: the lines of each download."""

    def offer(self, key: str, file: str, columns: str, lines: Rows, **values: Any) -> None:
        self[key] = rows(written(columns, lines()))


@pytest.fixture(scope="module")
def trainer() -> LiveTrainer:
    trainer = LiveTrainer(Recipe(d_model=32, n_heads=2, guided=1.0))
    for _ in range(10):
        trainer.step()
    return trainer


def offered(view: Any, **job: Any) -> Offers:
    page = Offers()
    view._offer(page, SimpleNamespace(**job), *([None] * (view is fine_tuning)))
    return page


def test_a_live_run_step_by_step(trainer: LiveTrainer) -> None:
    run, lines = RunHistory.of(trainer), offered(live, trainer=trainer)["live"]
    assert [float(line["loss"]) for line in lines] == [each.loss for each in run.measured]
    assert [float(line["guided_penalty"]) for line in lines] == [each.paid for each in run.measured]
    shown = {each.step: each.accuracy for each in run.snapshots if each.step}
    assert {int(line["step"]): float(line["sequence_accuracy"]) for line in lines if line["sequence_accuracy"]} == shown


def test_the_attention_of_the_example(trainer: LiveTrainer) -> None:
    last, lines = trainer.snapshots[-1], offered(live, trainer=trainer)["attention"]
    assert [float(line["weight"]) for line in lines] == last.weights.reshape(-1).tolist()
    cost = penalty_matrix(*last.weights.shape[2:]).reshape(-1)
    heads = last.weights.shape[0] * last.weights.shape[1] * last.weights.shape[2]
    paid = sum(float(line["weight"]) * w for line, w in zip(lines, np.tile(cost, len(lines) // len(cost)), strict=True)) / heads
    assert paid == pytest.approx(example_penalty(last), rel=1e-5)


def test_fine_tuning_step_by_step_and_its_translations() -> None:
    first, last = PairScore(2.0, 10.0, 0, ("x",)), PairScore(1.0, 50.0, 1, ("y",))
    evaluations = [Evaluation(0, first, None), Evaluation(2, last, None)]
    steps = [TrainingStep(1, 3.0, 0.1), TrainingStep(2, 2.5, 0.2)]
    material = Material("mine", learn=(("a", "b"),), held_out=(("c", "d"),), everyday=(), more=())
    run = SimpleNamespace(measured=steps, evaluations=evaluations)
    page = offered(fine_tuning, trainer=run, recipe=SimpleNamespace(material=material))
    assert [(line["step"], line["batch_loss"], line["held_out_bleu"]) for line in page["tuning"]] == [
        ("0", "", "10.0"), ("1", "3.0", ""), ("2", "2.5", "50.0"),
    ]  # fmt: skip
    (line,) = page["translations"]
    assert [line[name] for name in ("kind", "source", "reference", "before", "now")] == ["held out", "c", "d", "x", "y"]
