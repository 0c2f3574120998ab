"""The page "How it learns": own words mixed in, guided attention, and two live runs compared."""

from html import unescape

import torch

from pages.training.jobs import QUEUE
from tests.pages.test_all_pages import words
from tests.pages.training.conftest import wait
from tests.pages.training.test_page import arrived, offered, press, table
from tests.plots import plots
from viz_core.app.markup import number
from viz_core.config import BOS_ID
from viz_core.training.live import Recipe

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
    lines = table(app)
    assert [line[5] for line in lines[: len(true)]] == [number(float(loss)) for loss in losses]
    assert all(line[2].startswith("◆") for line in lines[1 : len(true)])
    assert [line[2] for line in lines[:3]] == ["⟨s⟩", "◆ Die |Der", "◆ Katze |Hund"]


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
    second = press(app, "_train_anew")
    assert app.session_state["_training_before"] is job
    QUEUE.stop(second)
