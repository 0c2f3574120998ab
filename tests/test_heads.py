"""The page on heads: what it says is what was measured, its evidence is a click away, and what is missing can be measured there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.test_pages import ROOT, opened, words
from viz_core import checkpoint as checkpoints
from viz_core.analysis.importance import importance
from viz_core.analysis.roles import stored
from viz_core.explain import explain
from viz_core.figures.attention import signed
from viz_core.ui import cache, heads

PAGE = "pages/lab/heads.py"


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def charts(app: AppTest) -> str:
    """All that the figures of the page hold."""
    return "".join(str(json.loads(chart.proto.spec)) for chart in app.get("plotly_chart"))


def test_the_evidence_of_a_role_is_a_click_away() -> None:
    checkpoint = checkpoints.load(Path("checkpoints/en-de"))
    table, _ = stored.read(Path("checkpoints/en-de"), checkpoint)
    assert table
    evidence = table.kinds["cross"].evidence[2][2]
    app = opened(PAGE, layer="3", head="3")
    app.button(key="_evidence").click().run()
    assert not app.exception
    view = app.session_state["_view"]
    assert evidence and (view.explanation.source.text, view.layer, view.head) == (evidence.text, 2, 2)
    weights = view.trace.attention("cross", 2).weights[2]
    assert app.session_state["_look_cross_attention"].cell == (evidence.query, evidence.key)
    assert weights[evidence.query, evidence.key] == pytest.approx(evidence.weight, abs=1e-4)


def test_worth_in_this_sentence_is_measured_on_it() -> None:
    text = "Where is the train station?"
    checkpoint = checkpoints.load(Path("checkpoints/en-de"))
    drops = importance(checkpoint.model, explain(checkpoint, text)).drops("masked")
    app = opened(PAGE, text=text, layer="1", head="7")
    app.session_state["heads_show"], app.session_state["heads_kind"] = "worth", "masked"
    app.run()
    assert f"Without head 7 of layer 1: {signed(drops[0, 6])} nats" in charts(app)


def test_what_was_not_measured_can_be_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get_heads", lambda checkpoint: (None, ()))
    monkeypatch.setattr(
        heads, "sentences", lambda language: ["I love you.", "Where is the train station?", "The old man reads a book."]
    )
    app = opened(PAGE)
    assert "python -m viz_core heads checkpoints/en-de" in words(app)
    app.button(key="_measure").click().run()
    assert not app.exception
    assert "over 3 sentences" in charts(app)


def test_a_language_without_sentences_of_ours_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get_heads", lambda checkpoint: (None, ()))
    monkeypatch.setattr(heads, "sentences", lambda language: [])
    assert "--sentences FILE" in words(opened(PAGE))
