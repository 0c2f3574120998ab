"""The page "Compare": which side is which, and what both are asked for."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import opened, words
from viz_core.analysis.pronouns import schemas
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import explain

PAGE = "compare/page.py"
TEXT, OTHER = "The cook sells three pears.", "The cook buys three </script> pears."


def arrived(shown: dict[str, Any], **parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    shown.clear()
    return opened(PAGE, **{"text": TEXT} | parameters)


def test_whatever_is_typed_on_the_right_the_page_is_shown(shown: dict[str, Any]) -> None:
    for second in (" ", "\x00", "🦔 红色的苹果 word " * 200):
        app = arrived(shown, second=second)
        assert ("comparison" in shown) == bool(second.strip())
        assert shown or "Type a second sentence" in words(app) or app.warning
    assert any("On the right" in warning.value for warning in app.warning)
    assert len(shown["comparison"][1]["sides"][1]["name"]) < 80


def test_an_edit_in_all_pages_is_on_both_sides_but_where_trained_and_edited_are_compared(shown: dict[str, Any]) -> None:
    assert "Nothing has been changed yet" in words(arrived(shown, pair="edits")) and not shown
    everywhere = {"second": OTHER, "edits": "uniform.cross", "everywhere": "on"}
    app = arrived(shown, **everywhere)
    assert "Edited model:" in words(app)
    uniform = [explain(models.get_checkpoint("en-de"), text, edits=Edits(uniform=frozenset({"cross"}))) for text in (TEXT, OTHER)]
    for name, ex in zip(("left", "right"), uniform, strict=True):
        assert shown["comparison"][0][f"{name}_ids"][:, -1].tolist() == [token.id for token in ex.output]
    app = arrived(shown, **everywhere, pair="edits")
    assert "Edited model:" not in words(app)
    assert [side["name"] for side in shown["comparison"][1]["sides"]] == ["as trained", "edited"]


def test_the_verdict_on_a_pair_of_ours_is_measured_on_the_loaded_model(shown: dict[str, Any], shipped: Checkpoint) -> None:
    schema = schemas()[0]
    said = words(arrived(shown, text=schema.sentences[1], second=schema.sentences[0]))
    for part in ("this model switches to the correct pronoun in **0**", "Over **12 such pairs**", "For this pair, no."):
        assert part in said
    assert "such pairs" not in words(arrived(shown, second=OTHER))
