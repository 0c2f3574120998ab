"""Snapshots on the pages: by link, by key, over the same words; and links to snapshots that do not exist."""

import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.foot import controls, press
from tests.pages.test_all_pages import FILES, ROOT, address, opened, view, visited, words
from viz_core.checkpoint import load
from viz_core.explain import explain
from viz_core.training import snapshots

PAGE, TRAINING = (next(file for file in FILES if Path(file).parent.name == name) for name in ("output", "training"))
TEXT = "I love you."
MODEL = "en-de-tiny"


def state(app: AppTest) -> tuple[str, str]:
    return app.session_state["_view"].checkpoint.name, app.session_state["_view"].explanation.text


def test_a_link_shows_an_earlier_model_over_the_words_of_the_trained_one() -> None:
    trained = load(ROOT / "checkpoints" / MODEL)
    own = explain(snapshots.load_at(ROOT / "checkpoints" / MODEL, trained, 300), TEXT)
    right = explain(trained, TEXT)
    assert own.text != right.text
    app = opened(PAGE, text=TEXT, model=MODEL, snapshot="300")
    assert state(app) == (f"{MODEL}@300", right.text)
    app = visited(app, text=TEXT, model=MODEL, snapshot="300", reads="own")
    assert state(app) == (f"{MODEL}@300", own.text)
    assert right.text.removesuffix(".") in words(app)
    app = visited(app, text=TEXT, model=MODEL)
    assert state(app) == (MODEL, right.text)


def test_a_step_without_a_snapshot_is_reported_and_a_model_without_any_has_no_slider() -> None:
    app = opened(PAGE)
    for asked, shown, model in (("290", "300", MODEL), ("-1", "end", MODEL), ("../0", "end", MODEL), ("300", "end", "en-de")):
        visited(app, text=TEXT, model=model, snapshot=asked)
        assert address(app).get("snapshot", "end") == shown
        assert any("napshot" in warning.value for warning in app.warning)
        assert ("snapshot" in controls(app)) == (model == MODEL)


def test_the_view_of_snapshots_lists_each_of_them_and_offers_a_model_that_has_some() -> None:
    app = opened(TRAINING, text=TEXT, model="en-de", show="snapshots")
    press(app, f"snapshots_{MODEL}")
    assert view(app).checkpoint.name == MODEL
    (table,) = [each.proto.body for each in app.get("html") if 'class="draws sentences' in each.proto.body]
    for step in snapshots.saved_steps(ROOT / "checkpoints" / MODEL):
        assert re.search(rf"<td[^>]*>{step:,}</td>", table)
