"""The page "How it learns": a run steered by its reader, several readers at once, and the loss of this sentence."""

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.training import jobs as training_jobs
from pages.training.compute import POINTS, GradientStep, curve_values, predictions_of
from pages.training.gradient import loss_figure
from pages.training.guided import numbers_of
from pages.training.jobs import PATIENCE, QUEUE, Job
from tests.conftest import MakeModel
from tests.foot import ask, controls
from tests.pages.test_all_pages import ROOT, opened, words
from tests.pages.training.conftest import wait
from tests.plots import answered, payloads, plots, unpacked
from viz_core.analysis.gradient import matrix_gradient
from viz_core.app import models
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.explain import explain
from viz_core.texts import texts
from viz_core.training import history
from viz_core.training.live import Recipe
from viz_core.training.loss import smoothed_cross_entropy

PAGE = "training/page.py"
arrived = partial(opened, PAGE)


def press(app: AppTest, key: str) -> Job:
    app.button(key=key).click().run()
    assert not app.exception, app.exception
    job: Job = app.session_state["_training"]
    return job


def offered(app: AppTest) -> set[str]:
    return {button.key for button in app.button if button.key and button.key.startswith("_train")}


def test_train_stop_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound in ("PATIENCE", "SECONDS"):  # on a busy machine
        monkeypatch.setattr(training_jobs, bound, 600.0)
    app = arrived(task="copy", d_model="32", heads="2")
    assert offered(app) == {"_train"}
    assert "Untrained" in words(app)
    job = press(app, "_train")
    job.until = 10**6
    assert (job.recipe.task, job.recipe.d_model, job.recipe.n_heads) == ("copy", 32, 2)
    wait(lambda: job.trainer is not None and len(job.trainer.measured) > 21)
    app.run()
    assert offered(app) == {"_train_stop"}
    assert "scrub" not in controls(app)
    press(app, "_train_stop")
    wait(lambda: job.resting)
    app.run()
    assert job.trainer
    trainer, done = job.trainer, len(job.trainer.measured)
    assert f"after step {done}" in words(app)
    assert "**not yet** learned" in words(app) and "has not learned" not in words(app)
    assert offered(app) == {"_train_on", "_train_anew"}
    ask(app, scrub=10)
    assert f"At step 10: loss **{number(job.trainer.measured[9].loss)}**" in words(app)
    assert "After step 10" in str(unpacked(payloads(app, "cell_maps")[0])[1])
    assert press(app, "_train_on") is job
    wait(lambda: len(trainer.measured) > done)
    assert job.trainer is trainer
    QUEUE.stop(job)


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[Job, threading.Event]]:
    """Sittings in which nothing happens until the test lets them end."""
    made: dict[Job, threading.Event] = {}

    def sitting(job: Job) -> str:
        if not job.seen():
            return "unseen"
        made.setdefault(job, threading.Event()).wait(20)
        return "stopped"

    monkeypatch.setattr(training_jobs, "_sitting", sitting)
    yield made
    for gate in made.values():
        gate.set()


def test_several_readers_wait_in_a_queue_that_says_its_length(gates: dict[Job, threading.Event]) -> None:
    apps = [arrived() for _ in range(3)]
    jobs = [press(app, "_train") for app in apps]
    wait(lambda: jobs[0] in gates)
    assert [job.state for job in jobs] == ["running", "waiting", "waiting"]
    assert "**In the queue**, 2 ahead of you" in words(apps[2].run())
    press(apps[1], "_train_stop")
    assert "1 ahead of you" in words(apps[2].run())
    gates[jobs[0]].set()
    wait(lambda: jobs[2] in gates)
    assert [job.state for job in jobs] == ["stopped", "stopped", "running"]
    assert jobs[1] not in gates


def test_a_waiting_run_without_a_heartbeat_is_not_counted(gates: dict[Job, threading.Event]) -> None:
    here, gone, after = (Job(Recipe()) for _ in range(3))
    for job in (here, gone, after):
        QUEUE.put(job)
    wait(lambda: here in gates)
    assert QUEUE.before(after) == 2
    gone.last_heartbeat -= 2 * PATIENCE
    assert QUEUE.before(after) == 1
    gates[here].set()
    wait(lambda: after in gates)
    assert (gone.state, gone in gates) == ("unseen", False)


def test_a_run_that_nobody_watches_ends() -> None:
    app = arrived(d_model="32")
    job = press(app, "_train")
    wait(lambda: job.trainer is not None and bool(job.trainer.measured))
    job.last_heartbeat -= 2 * PATIENCE
    wait(lambda: job.resting)
    assert job.state == "unseen"
    assert "nobody was watching" in words(app.run())


def test_a_heartbeat_keeps_it_going() -> None:
    app, job = arrived(), Job(Recipe(), state="running")
    app.session_state["_training"] = job
    job.last_heartbeat -= 2 * PATIENCE
    app.run()
    assert job.seen()


def test_a_sitting_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_jobs, "PATIENCE", 60.0)  # on a busy machine
    job = Job(Recipe(d_model=32), until=4)
    assert training_jobs._sitting(job) == "done"
    assert job.trainer
    assert len(job.trainer.measured) == 4
    job.until = 10**6
    monkeypatch.setattr(training_jobs, "SECONDS", 0.05)
    assert training_jobs._sitting(job) == "late"


def test_divergence_is_reported_and_the_run_can_be_started_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_jobs, "PATIENCE", 60.0)  # on a busy machine
    app = arrived(rate="100", warmup="1", d_model="32")
    job = press(app, "_train")
    wait(lambda: job.resting)
    app.run()
    assert "**It diverged**" in words(app)
    assert "A learning rate × 100 makes steps so large" in words(app)
    assert "_train_anew" in offered(app) and "_train_on" not in offered(app)


def test_the_loss_is_the_training_loss() -> None:
    app = arrived(show="loss", text="I love you.", target="Ich liebe <b>dich</b>.", epsilon="37", step="2")
    view = app.session_state["_view"]
    true = torch.tensor([[token.id for token in view.explanation.output]])
    hard, smooth = (float(smoothed_cross_entropy(view.trace["output.logits"], true, share)) for share in (0.0, 0.37))
    ((arrays, about),) = answered(app, "sentence_loss")
    assert arrays["forced"].mean() == pytest.approx(hard)
    assert (0.63 * arrays["forced"] - about["epsilon"] / 100 * arrays["spread"]).mean() == pytest.approx(smooth)
    assert (about["read"], about["write"]) == (view.explanation.target.labels, [token.label for token in view.explanation.output])
    assert not any(about["right"] or about["own"])


def test_a_checkpoint_without_history_or_with_a_damaged_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "en-de"
    shutil.copytree(ROOT / "checkpoints" / "en-de", folder)
    monkeypatch.setattr(models, "ROOT", tmp_path)
    found = history.read(folder)
    assert found
    assert (found.loss[0], found.averaged[-1]) == ((50, 8.871), (9588, 46.27))
    (folder / history.FILE).write_text('{"step": 50, "loss": 8.8}\n{"step": 100, "loss": NaN}\n')
    with pytest.raises(CheckpointError, match="line 2"):
        history.read(folder)
    app = arrived(show="live")
    ask(app, show="shipped")
    assert any("line 2" in unescape(error.value) for error in app.error)
    (folder / history.FILE).unlink()
    app.run()
    assert not app.error
    assert "its training was not recorded" in words(app)


def test_the_arrow_leads_along_the_tangent_to_the_new_weight() -> None:
    at = GradientStep(weight=0.5, loss=2.0, slope=-1.0, new_weight=0.9, new_loss=1.7)
    weights = np.array(curve_values(0.5, 0.9, 0.1, 10))
    assert (len(weights), weights[POINTS // 2]) == (POINTS, 0.5)
    assert weights[0] < 0.5 and weights[-1] > 0.9
    names = ["curve", "tangent", "now", "after"]
    fig = loss_figure(weights, weights**2, at, [""] * POINTS, title="", names=names, axes=("w", "loss")).plotly()
    (arrow,) = fig.layout.annotations
    assert (arrow.ax, arrow.ay, arrow.x, arrow.y) == (0.5, 2.0, 0.9, pytest.approx(1.6))
    assert fig.data[3].x == (0.9,) and fig.data[3].y == (1.7,)
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("w", "loss")


def test_the_head_of_the_question_has_the_smallest_penalty_and_the_last_verb_the_largest(shipped: Checkpoint) -> None:
    entry = texts("training")["try"][7]
    asked = entry["set"] | entry["own"]
    explanation = explain(shipped, asked["text"])
    paid = numbers_of(explanation, asked["width"] / 100)["paid"].values.sum(-1)  # (L, h, T)
    assert divmod(int(paid.mean(-1).argmin()), 8) == (asked["layer"] - 1, asked["head"] - 1)
    assert explanation.output[int(paid[asked["layer"] - 1, asked["head"] - 1].argmax())].label == "gesehen"


def test_the_gradient_is_that_of_the_matrix_that_is_asked_for() -> None:
    app = arrived(show="gradient", model="en-de-tiny", kind="masked", matrix="w_1", layer="2", step="3")
    view, (curve,) = app.session_state["_view"], plots(app)
    found = matrix_gradient(view.checkpoint.model, view.explanation, 2, "masked", 1, view.head, "w_1")
    assert curve["data"][2]["x"] == [pytest.approx(float(found.weights[found.steepest]))]


def test_each_snapshot_is_scored_on_the_correct_words_and_writes_its_own(checkpoint: Checkpoint, make_model: MakeModel) -> None:
    early = replace(checkpoint, name="tiny@3", model=make_model(norm="post"), digest="x")
    right = explain(checkpoint, "The otter hides two umbrellas.", "Der Otter versteckt zwei Regenschirme.")
    first, last = predictions_of([(3, early), (None, checkpoint)], right)
    assert (first.step, last.step) == (3, None)
    asked = explain(early, "The otter hides two umbrellas.", right.text)
    assert [token.id for token in asked.output] == [token.id for token in right.output]
    for stop, ex in ((first, asked), (last, right)):
        expected = [step.log_probs[step.expected.id] for step in ex.steps]
        assert np.allclose(stop.log_probs, expected, atol=1e-5)
        assert list(stop.best) == [int(step.log_probs.argmax()) for step in ex.steps]
        assert stop.loss == pytest.approx(-float(np.mean(expected)), rel=1e-5)
    own = explain(early, "The otter hides two umbrellas.")
    assert list(first.written) == [token.id for token in own.output]
