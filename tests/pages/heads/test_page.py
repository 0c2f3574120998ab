"""The page Heads: it says what was measured, its evidence is a click away, and what is missing can be measured there."""

from pathlib import Path

import pytest

from pages.heads import measured
from tests.foot import press
from tests.pages.test_all_pages import address, opened, words
from tests.plots import answered
from viz_core import checkpoint as checkpoints
from viz_core.analysis.roles.table import read
from viz_core.app import models
from viz_core.app.answers import Refused, answer

PAGE = "heads/page.py"


def test_the_evidence_of_a_role_is_a_click_away() -> None:
    checkpoint = checkpoints.load(Path("checkpoints/en-de"))
    table, _ = read(Path("checkpoints/en-de"), checkpoint)
    assert table
    evidence = table.kinds["cross"].evidence[2][2]
    app = opened(PAGE, layer="3", head="3")
    press(app, "evidence")
    view = app.session_state["_view"]
    assert evidence and (view.explanation.source.text, view.layer, view.head) == (evidence.text, 2, 2)
    weights = view.trace.attention("cross", 2).weights[2]
    assert address(app)["cell"] == f"{evidence.query + 1}-{evidence.key + 1}"
    assert weights[evidence.query, evidence.key] == pytest.approx(evidence.weight, abs=1e-4)


def test_what_was_not_measured_can_be_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "get_heads", lambda checkpoint: (None, ()))
    monkeypatch.setattr(
        measured, "sentences", lambda language: ["I love you.", "Where is the train station?", "The old man reads a book."]
    )
    app = opened(PAGE)
    assert "python -m viz_core heads en-de" in words(app)
    app.button(key="_measure").click().run()
    assert not app.exception
    assert [about["count"] for _, about in answered(app, "head_roles")] == [3]


def test_what_was_not_measured_is_refused() -> None:
    for view, more in (("head_roles", {}), ("head_ablation", {"text": "A cat.", "of": "many"})):
        with pytest.raises(Refused):
            answer(view, {"model": "en-de-tiny@300", "kind": "self", "count": "384", **more})
