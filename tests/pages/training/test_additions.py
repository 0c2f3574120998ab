"""The page "How it learns": own words mixed in, guided attention, and two live runs compared."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.training.compute import MOST_CORRECT, RunHistory
from pages.training.figures import all_maps, penalty_lines
from pages.training.jobs import QUEUE
from tests.foot import links
from tests.foot import press as follow
from tests.pages.test_all_pages import address, words
from tests.pages.training.queue import wait
from tests.pages.training.test_page import arrived, offered, press
from tests.plots import plots
from viz_core.app.markup import number
from viz_core.config import BOS_ID
from viz_core.figures.palette import LIGHT
from viz_core.texts import texts
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loss import penalty_matrix

LIVE = [each["label"] for each in texts("training")["try"] if each["own"]["show"] == "live"]
DOG = {"text": "The cat is sleeping on the sofa.", "target": "Der Hund schläft auf dem Sofa."}


def mixture(app: AppTest) -> list[list[str]]:
    """The lines of the table, cell by cell, with what is struck out behind a |."""
    (body,) = [each.proto.body for each in app.get("html") if 'forced" role=' in each.proto.body]
    rows = re.findall(r"<tr.*?</tr>", body)[1:]
    return [[unescape(re.sub("<[^>]*>", "", cell.replace("<s>", "|"))) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]


def test_with_all_own_words_it_reads_what_the_first_pass_wrote() -> None:
    app = arrived(show="loss", own="100", step="3", **DOG)
    view = app.session_state["_view"]
    ex, model = view.explanation, view.checkpoint.model
    own = [BOS_ID, *(int(row.argmax()) for row in view.trace.array("output.log_probs")[:-1])]
    with torch.inference_mode():
        second = model(torch.tensor([ex.source.ids]), torch.tensor([own]))[0].double()
    true = torch.tensor([token.id for token in ex.output])
    losses = -second[range(len(true)), true]
    lines = mixture(app)
    assert [line[5] for line in lines[: len(true)]] == [number(float(loss)) for loss in losses]
    assert all(line[2].startswith("◆") for line in lines[1 : len(true)])
    assert [line[2] for line in lines[:3]] == ["⟨s⟩", "◆ Die |Der", "◆ Katze |Hund"]
    forced = [-float(ex.trace.array("output.log_probs")[t, i]) for t, i in enumerate(true)]
    assert [line[6] for line in lines[: len(true)]] == [number(loss) for loss in forced]
    assert lines[-1][-4:-2] == [number(float(losses.mean())), number(float(np.mean(forced)))]
    assert "«Katze» in place of «Hund»" in unescape(words(app)) or "«Die» in place of «Der»" in unescape(words(app))


def test_no_own_words_is_teacher_forcing_and_the_draws_follow_the_link() -> None:
    app = arrived(show="loss", own="0", epsilon="10", **DOG)
    assert "teacher forcing" not in [cell for line in mixture(app) for cell in line]
    assert len(mixture(app)[0]) == 7
    tables = []
    for seed in ("4", "4", "5"):
        app = arrived(show="loss", own="50", seed=seed, **DOG)
        tables.append(mixture(app))
    assert tables[0] == tables[1] != tables[2]
    assert (address(app)["own"], address(app)["seed"]) == ("50", "5")


def test_its_own_sentence_is_read_as_it_is() -> None:
    app = arrived(show="loss", own="100", text="I love you.")
    assert "All of its own words are the correct ones" in words(app)


def test_the_lines_are_drawn_where_the_penalty_is_one_half() -> None:
    fig = all_maps(
        np.full((1, 2, 3, 3), 1 / 3), "abc", "xyz", title="", names=[["A", "B"]], axes=("q", "k"), height=300, first=2
    ).plotly()
    which = {tuple(data) for data in fig.data[-1].customdata}
    assert which == {(2,), (3,)}
    right = [x for x, data in zip(fig.data[-1].x, fig.data[-1].customdata, strict=True) if data[0] == 3]
    assert min(right) > max(x for x, data in zip(fig.data[-1].x, fig.data[-1].customdata, strict=True) if data[0] == 2)
    cost = penalty_matrix(5, 3)
    penalty_lines(fig, cost, LIGHT)
    x, y = (np.array(each, float).reshape(-1, 3)[:, :2] for each in (fig.data[-1].x, fig.data[-1].y))
    upright = x[:, 0] == x[:, 1]  # along the border between two cells, so through no number
    middle = np.stack([y.mean(1), x.mean(1)], 1)
    aside = np.where(upright[:, None], [0, 0.5], [0.5, 0])
    one, other = (cost[tuple((middle + sign * aside).astype(int).T)] < 0.5 for sign in (-1, 1))
    assert (one != other).all()
    assert len(x) == np.abs(np.diff(cost < 0.5, axis=0)).sum() + np.abs(np.diff(cost < 0.5, axis=1)).sum()


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
    before.trainer.snapshots[-1] = replace(before.trainer.snapshots[-1], accuracy=0.95)
    assert "the run before after step 10, this run not in its 12 steps" in words(app.run())
    job.trainer.snapshots[-1] = replace(job.trainer.snapshots[-1], accuracy=0.9)  # type: ignore[union-attr]
    assert "this run after step 10, the run before after step 10" in words(app.run())
    second = press(app, "_train_anew")
    assert app.session_state["_training_before"] is job
    QUEUE.stop(second)


def test_the_axis_is_that_of_the_run_on_display() -> None:
    app = arrived(d_model="32")
    first = press(app, "_train")
    first.until = 1
    wait(lambda: first.resting)
    assert first.trainer
    first.trainer.measured[0] = replace(first.trainer.measured[0], loss=60.0)
    second = press(app.run(), "_train_anew")
    second.until = 1
    wait(lambda: second.resting)
    curve = next(plot for plot in plots(app.run()) if "dashed: the run before" in str(plot))
    assert curve["layout"]["yaxis"]["range"][1] < 10


@pytest.mark.parametrize("label", LIVE)
def test_a_try_depends_on_nothing_that_was_set_before(label: str) -> None:
    other = {"task": "copy", "layers": "2", "heads": "2", "d_model": "32", "rate": "3", "warmup": "20", "smoothing": "0.1"}
    asked = []
    for before in ({}, {**other, "norm": "post", "decay": "linear", "upto": "25", "guide": "10"}):
        app = arrived(**before)
        follow(app, next(key for key, link in links(app).items() if link.label == label))
        asked.append(address(app))
    assert asked[0] == asked[1]


def test_stop_ends_both() -> None:
    app = arrived(d_model="32", guide="1")
    job = press(app, "_train_both")
    before = app.session_state["_training_before"]
    wait(lambda: before.trainer is not None and bool(before.trainer.measured))
    assert "the run without" in words(app.run())
    press(app, "_train_stop")
    wait(lambda: before.resting and job.resting)
    assert job.trainer is None
    assert offered(app.run()) == {"_train_on", "_train_anew", "_train_both"}


def test_runs_are_compared_by_the_first_snapshot_that_is_accurate() -> None:
    trainer = LiveTrainer(Recipe(d_model=32))
    first = trainer.snapshots[0]
    shots = [replace(first, step=step, accuracy=share) for step, share in ((10, 0.5), (20, 0.95), (30, 0.85), (40, 0.99))]
    assert RunHistory(trainer.recipe, [], shots).learned_at == 20
    assert RunHistory(trainer.recipe, [], [replace(first, accuracy=MOST_CORRECT - 0.01)]).learned_at is None
