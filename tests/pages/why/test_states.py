"""Integrated gradients: at all steps at once for a short sentence, else with a run for each step."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.why import source_words
from tests.pages.test_all_pages import opened, visited
from tests.pages.why.test_page import PAGE
from tests.plots import answered
from viz_core.app import components
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

STEP = 2


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


def scores(app: AppTest) -> dict[str, Any]:
    """The arrays of the figure."""
    ((arrays, _),) = answered(app, "source_words")
    return arrays


def test_two_methods_are_there_at_once_and_in_a_class_the_third_comes_with_a_run(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "My aunt reads."
    monkeypatch.setattr(source_words, "has_many_readers", lambda: True)
    ex = explain(shipped, text)  # of a sentence that no other test has asked for: nothing of it is there before
    app = opened(PAGE, text=text, show="source_words", step="1")
    assert "step" in follows["follows"]
    assert [bool(np.isfinite(row).all()) for row in scores(app)["gradients"]] == [step == 0 for step in range(len(ex.steps))]
    for step in range(len(ex.steps)):
        app = visited(app, text=text, show="source_words", step=str(step + 1))
    assert "step" not in follows["follows"]
    assert np.isfinite(scores(app)["gradients"]).all()
