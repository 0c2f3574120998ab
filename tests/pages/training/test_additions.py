"""The page "How it learns": own words mixed in, guided attention, two live runs compared, and the CSV files of what is shown."""

from html import unescape
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from pages.training import fine_tuning, live
from pages.training.compute import RunHistory, example_penalty
from pages.training.jobs import QUEUE
from tests.app.test_csv_files import rows
from tests.pages.test_all_pages import words
from tests.pages.training.conftest import wait
from tests.pages.training.test_page import arrived, offered, press
from tests.plots import answered, plots
from viz_core.app.csv_files import Rows, written
from viz_core.config import BOS_ID
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loss import penalty_matrix
from viz_core.training.material import Material
from viz_core.training.run import TrainingStep
from viz_core.training.tuning import Evaluation, PairScore

DOG = {"text": "The cat is sleeping on the sofa.", "target": "Der Hund schläft auf dem Sofa."}


def test_with_all_own_words_it_reads_what_the_first_pass_wrote() -> None:
    app = arrived(show="loss", own="100", step="3", **DOG)
    view = app.session_state["_view"]
    ex, model = view.explanation, view.checkpoint.model
    own = [BOS_ID, *(int(row.argmax()) for row in view.trace.array("output.log_probs")[:-1])]
    with torch.inference_mode():
        second = model(torch.tensor([ex.source.ids]), torch.tensor([own]))[0].double()
    true = torch.tensor([token.id for token in ex.output])
    losses = -second[range(len(true)), true]
    ((arrays, about),) = answered(app, "sentence_loss")
    assert arrays["mixed"] == pytest.approx(losses.numpy(), rel=1e-5)
    assert about["own"] == [False] + [True] * (len(true) - 1)
    assert [*zip(about["read"], about["right"], strict=True)][:3] == [("⟨s⟩", ""), ("Die", "Der"), ("Katze", "Hund")]


def test_without_and_with_in_one_go() -> None:
    app = arrived(task="copy", d_model="32", guide="3", decay="linear", upto="75")
    assert offered(app) == {"_train", "_train_both"}
    job = press(app, "_train_both")
    before = app.session_state["_training_before"]
    asked = Recipe(task="copy", d_model=32, guided=3.0, decay="linear", own=0.75)
    assert job.recipe == asked
    assert before.recipe == Recipe(task="copy", d_model=32)
    before.until = job.until = 12
    wait(lambda: before.trainer is not None)
    app.run()
    before.last_heartbeat = job.last_heartbeat = float("inf")  # however slow the machine is
    wait(lambda: job.resting)
    app.run()
    assert not app.exception
    assert (len(before.trainer.measured), len(job.trainer.measured)) == (12, 12)  # type: ignore[union-attr]
    told = unescape(words(app))
    assert "this run: own words, linear up to 75 %, guided attention × 3" in told
    assert "the run before: teacher forcing only, no guided attention" in told
    assert "W is 0" in told
    assert "min(75 %, " in told
    curve = next(str(plot) for plot in plots(app) if "dashed: the run before" in str(plot))
    assert "own words" in curve
    second = press(app, "_train_anew")
    assert app.session_state["_training_before"] is job
    QUEUE.stop(second)


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


def given(view: Any, **job: Any) -> Offers:
    page = Offers()
    view._offer(page, SimpleNamespace(**job), *([None] * (view is fine_tuning)))
    return page


def test_a_live_run_step_by_step(trainer: LiveTrainer) -> None:
    run, lines = RunHistory.of(trainer), given(live, trainer=trainer)["live"]
    assert [float(line["loss"]) for line in lines] == [each.loss for each in run.measured]
    assert [float(line["guided_penalty"]) for line in lines] == [each.paid for each in run.measured]
    shown = {each.step: each.accuracy for each in run.snapshots if each.step}
    assert {int(line["step"]): float(line["sequence_accuracy"]) for line in lines if line["sequence_accuracy"]} == shown


def test_the_attention_of_the_example(trainer: LiveTrainer) -> None:
    last, lines = trainer.snapshots[-1], given(live, trainer=trainer)["attention"]
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
    page = given(fine_tuning, trainer=run, recipe=SimpleNamespace(material=material))
    assert [(line["step"], line["batch_loss"], line["held_out_bleu"]) for line in page["tuning"]] == [
        ("0", "", "10.0"), ("1", "3.0", ""), ("2", "2.5", "50.0"),
    ]  # fmt: skip
    (line,) = page["translations"]
    assert [line[name] for name in ("kind", "source", "reference", "before", "now")] == ["held out", "c", "d", "x", "y"]
