"""Every view at another step, layer and head than the first: what the browser shows there is computed anew, and needs no run."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.why import source_words
from tests.pages.test_all_pages import opened, visited
from tests.pages.why.test_page import PAGE, TEXT
from tests.plots import below, plots
from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.words import groups
from viz_core.app import components
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.texts import texts

STEP, LAYER, HEAD = 2, 2, 4


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


@pytest.fixture
def follows(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What of the view the page followed in its last run, under `follows`."""
    found: dict[str, Any] = {}
    connect = components.connect

    def keep(name: str, data: Any, *options: Any, **more: Any) -> Any:
        if name == "address":
            found.update(data)
        return connect(name, data, *options, **more)

    monkeypatch.setattr("viz_core.app.addressed.connect", keep)
    return found


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT} | parameters)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [("SHORT", 0, "My uncle sleeps."), ("has_many_readers", lambda: True, "My aunt reads.")],
    ids=["long", "many readers"],
)
def test_two_methods_are_there_at_once_and_the_third_comes_with_a_run_of_a_long_sentence_or_in_a_class(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch, name: str, value: object, text: str
) -> None:
    monkeypatch.setattr(source_words, name, value)
    ex = explain(shipped, text)  # of a sentence that no other test has asked for: nothing of it is there before
    app, positions = arrived(text=text, show="source_words", step="1"), groups(ex.source)[1]
    assert "step" in follows["follows"]
    fig = plots(app, step=STEP)[0]
    assert fig["data"][0]["x"] == pytest.approx(prediction_difference(shipped.model, ex)[STEP])
    keys = fig["data"][2]["x"]
    bars = plots(arrived(text=text, show="logit_attribution", of="logit"), step=STEP)[0]["data"][0]["x"]
    assert keys.sum() == pytest.approx(sum(bars[3 + 3 * layer] for layer in range(4)))  # those of cross attention
    assert not fig["data"][1]["x"].any() and "arithmetic" not in below(app, step=STEP)
    assert below(app, step=STEP)["told"] == texts("why")["computing"] != below(app, step=0)["told"]
    for step, awaited in ((0, False), (STEP, True)):
        notes = [note for note in plots(app, step=step)[0]["layout"]["annotations"] if note["text"] == texts("why")["awaited"]]
        assert [note["visible"] for note in notes] == [False, awaited, False]
    for step in range(len(ex.steps)):
        app = visited(app, text=text, show="source_words", step=str(step + 1))
    assert "step" not in follows["follows"]
    found = integrated_gradients(shipped.model, ex, STEP, ex.steps[STEP].expected.id)
    assert plots(app, step=STEP)[0]["data"][1]["x"] == pytest.approx([found.source[at].sum() for at in positions])
    assert f"[{number(found.error)}]"[1:-1] in below(app, step=STEP)["arithmetic"]


def test_of_a_short_sentences_words_all_methods_are_there_at_all_steps(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_words, "has_many_readers", lambda: False)
    app, ex = arrived(text="I love you.", show="source_words"), explain(shipped, "I love you.")
    positions = groups(ex.source)[1]
    assert "step" not in follows["follows"]
    for step in (0, STEP, len(ex.steps) - 1):
        found = integrated_gradients(shipped.model, ex, step, ex.steps[step].expected.id)
        drawn = plots(app, step=step)[0]["data"][1]["x"]
        assert drawn == pytest.approx([found.source[at].sum() for at in positions], abs=0.01)
        assert number(found.value) in below(app, step=step)["arithmetic"]


def test_a_method_that_names_no_word_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    best = source_words._best
    monkeypatch.setattr(source_words, "_best", lambda values, words: None)
    none = below(arrived(text="I love you.", show="source_words"), step=0)["told"]
    assert none == "No method names a word: no score is above 0."
    assert best(np.array([-1.0, 0.0, 2.0]), words=2) is None and best(np.array([-1.0, 0.5]), words=2) == 1
