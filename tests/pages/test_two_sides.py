"""Compare and What if: which side is which, what both are asked for, and the edited model, whatever switchboard or link say."""

import json
from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.what_if import switchboard
from tests.edit_examples import EXAMPLES
from tests.foot import ask, press
from tests.pages.test_all_pages import FILES, address, messages, opened, view, words
from viz_core.analysis.pronouns import schemas
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.edits import INTERVENTIONS, Edits
from viz_core.explain import explain
from viz_core.texts import texts

COMPARE = "compare/page.py"
FIRST, OTHER = "The cook sells three pears.", "The cook buys three </script> pears."


def compared(shown: dict[str, Any], **parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    shown.clear()
    return opened(COMPARE, **{"text": FIRST} | parameters)


def test_whatever_is_typed_on_the_right_the_page_is_shown(shown: dict[str, Any]) -> None:
    for second in (" ", "\x00", "🦔 红色的苹果 word " * 200):
        app = compared(shown, second=second)
        assert ("comparison" in shown) == bool(second.strip())
        assert shown or "Type a second sentence" in words(app) or app.warning
    assert any("On the right" in warning.value for warning in app.warning)
    assert len(shown["comparison"][1]["sides"][1]["name"]) < 80


def test_an_edit_in_all_pages_is_on_both_sides_but_where_trained_and_edited_are_compared(shown: dict[str, Any]) -> None:
    assert "Nothing has been changed yet" in words(compared(shown, pair="edits")) and not shown
    everywhere = {"second": OTHER, "edits": "uniform.cross", "everywhere": "on"}
    app = compared(shown, **everywhere)
    assert "Edited model:" in words(app)
    uniform = [explain(models.get_checkpoint("en-de"), text, edits=Edits(uniform=frozenset({"cross"}))) for text in (FIRST, OTHER)]
    for name, ex in zip(("left", "right"), uniform, strict=True):
        assert shown["comparison"][0][f"{name}_ids"][:, -1].tolist() == [token.id for token in ex.output]
    app = compared(shown, **everywhere, pair="edits")
    assert "Edited model:" not in words(app)
    assert [side["name"] for side in shown["comparison"][1]["sides"]] == ["as trained", "edited"]


def test_the_verdict_on_a_pair_of_ours_is_measured_on_the_loaded_model(shown: dict[str, Any], shipped: Checkpoint) -> None:
    schema = schemas()[0]
    said = words(compared(shown, text=schema.sentences[1], second=schema.sentences[0]))
    for part in ("this model switches to the correct pronoun in **0**", "Over **12 such pairs**", "For this pair, no."):
        assert part in said
    assert "such pairs" not in words(compared(shown, second=OTHER))


PAGE = "what_if/page.py"
TEXT = "Where is the nearest bridge?"


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the switchboard was given last."""
    found: dict[str, Any] = {}
    monkeypatch.setattr(switchboard, "connect", lambda _, data: found.update(json.loads(json.dumps(data, default=list))))
    return found


arrived = partial(opened, PAGE, text=TEXT)


def test_the_left_side_is_as_trained_and_the_right_side_edited(
    shown: dict[str, Any], board: dict[str, Any], shipped: Checkpoint
) -> None:
    link = "no_positions~uniform.cross"
    app = arrived(edits=link, step="3")
    edits = Edits.from_link(link)[0]
    outputs = [explain(shipped, TEXT, edits=each).output for each in (Edits(), edits)]
    assert [[text.strip() for text, _ in side["tokens"]] for side in shown["comparison"][1]["sides"]] == [
        [token.text for token in output] for output in outputs
    ]
    assert outputs[0] != outputs[1]
    assert "Without positional encodings" in " ".join(shown["comparison"][1]["sides"][1]["details"])
    assert board["state"] == json.loads(json.dumps(switchboard.plain(edits)))
    assert not view(app).explanation.edits and not messages(app)


def test_every_intervention_is_on_the_switchboard(board: dict[str, Any]) -> None:
    arrived()
    assert board["state"].keys() == INTERVENTIONS.keys() == board["nothing"].keys()
    assert {name for name in INTERVENTIONS if INTERVENTIONS[name].form.empty is False} == set(board["switches"])
    words = texts("what_if.switchboard")
    assert set(board["switches"]) == set(words["switches"]) == set(words["switch_titles"])
    assert switchboard.plain(EXAMPLES["force"])["force"] == [(0, "die"), (2, "·t")]
    assert switchboard.plain(EXAMPLES["heads"])["heads"][0] == ("cross", 0, 3)


def test_what_means_nothing_is_said_and_the_rest_is_done(board: dict[str, Any]) -> None:
    app = ask(arrived(), edits="heads.cross.4.1-3~<b>nonsense</b>~temperature.nan")
    assert sum("means nothing" in warning for warning in messages(app)) == 2
    assert board["state"]["heads"] == [["cross", 3, head] for head in range(3)]
    assert address(app)["edits"] == "heads.cross.4.1-3"
    assert "edits" not in address(ask(app, edits="")), "with the last one they are gone"


def test_notices_of_the_edited_model_are_shown() -> None:
    app = arrived(edits="force.1.Brükke~force.99.x~swap.77.y~heads.cross.9.1")
    for part in ("is not a token", "ends before step 99", "has no word 77", "has no such part"):
        assert sum(part in warning for warning in messages(app)) == 1, part


def test_one_click_takes_the_edit_out() -> None:
    app = opened(FILES[0], text="I see the dog.", edits="uniform.cross")
    edited = view(app).explanation
    press(app, "edited_out")
    assert not view(app).explanation.edits and view(app).explanation is not edited
    assert "edits" not in address(app)
    assert not any("Edited model" in each.value for each in app.markdown)
