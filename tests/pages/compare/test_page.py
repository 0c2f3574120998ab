"""The page "Compare": which side is which, and what both are asked for."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.foot import press
from tests.pages.test_all_pages import opened, view, words
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


def test_two_sentences_are_side_by_side_each_with_its_translation(shown: dict[str, Any], shipped: Checkpoint) -> None:
    arrived(shown, second=OTHER)
    tensors, about = shown["comparison"]
    assert [side["name"] for side in about["sides"]] == [TEXT, OTHER]
    assert not about["compared"]
    for name, text in (("left", TEXT), ("right", OTHER)):
        ex = explain(shipped, text)
        assert tensors[f"{name}_ids"][:, -1].tolist() == [token.id for token in ex.output]
        own = ex.trace.array("output.log_probs")
        assert np.array_equal(tensors[f"{name}_own"], np.take_along_axis(own, tensors[f"{name}_ids"].astype(int), 1))


def test_on_one_text_the_right_sentence_is_asked_for_what_the_left_one_wrote(shown: dict[str, Any], shipped: Checkpoint) -> None:
    arrived(shown, second=OTHER, case="same")
    tensors, about = shown["comparison"]
    assert about["compared"]
    left = explain(shipped, TEXT)
    forced = explain(shipped, OTHER, left.text).trace.array("output.log_probs")
    assert len(forced) == len(left.output)
    assert np.allclose(tensors["left_other"], np.take_along_axis(forced, tensors["left_ids"].astype(int), 1), atol=1e-4)


def test_the_difference_pairs_the_words_of_both_sides(shown: dict[str, Any]) -> None:
    arrived(shown, second="The cook buys three red pears.", show="difference", kind="self")
    _, about = shown["side_by_side"]
    rows, columns = about["difference"]["rows"], about["difference"]["columns"]
    assert rows == columns
    assert "sells | buys" in [label for label, *_ in rows["matches"]]
    assert rows["alone"] == [[], ["red"]]
    assert about["alone"]


def test_swap_puts_the_other_sentence_into_the_top_bar(shown: dict[str, Any]) -> None:
    app = arrived(shown, second=OTHER, step="4")
    press(app, "swap")
    assert not app.exception
    assert [side["name"] for side in shown["comparison"][1]["sides"]] == [OTHER, TEXT]
    assert view(app).step == 0


@pytest.mark.parametrize("second", [" ", "\x00", "</script><b>", "🦔 红色的苹果 word " * 500])
def test_whatever_is_typed_on_the_right_the_page_is_shown(shown: dict[str, Any], second: str) -> None:
    app = arrived(shown, second=second)
    assert ("comparison" in shown) == bool(second.strip())
    assert shown or "Type a second sentence" in words(app) or app.warning
    if len(second) > 1000:
        assert any("On the right" in warning.value for warning in app.warning)
        assert len(shown["comparison"][1]["sides"][1]["name"]) < 80


def test_an_edit_is_on_the_right_and_without_one_the_page_says_where_to_make_it(shown: dict[str, Any]) -> None:
    assert "Nothing has been changed yet" in words(arrived(shown, pair="edits"))
    assert not shown
    arrived(shown, pair="edits", edits="no_positions")
    _, about = shown["comparison"]
    assert [side["name"] for side in about["sides"]] == ["as trained", "edited"]
    assert about["compared"]


def test_an_edit_in_all_pages_is_on_both_sides_but_where_trained_and_edited_are_compared(shown: dict[str, Any]) -> None:
    everywhere = {"second": OTHER, "edits": "uniform.cross", "everywhere": "on"}
    app = arrived(shown, **everywhere)
    assert "Edited model:" in words(app)
    uniform = [explain(models.get_checkpoint("en-de"), text, edits=Edits(uniform=frozenset({"cross"}))) for text in (TEXT, OTHER)]
    for name, ex in zip(("left", "right"), uniform, strict=True):
        assert shown["comparison"][0][f"{name}_ids"][:, -1].tolist() == [token.id for token in ex.output]
    app = arrived(shown, **everywhere, pair="edits")
    assert "Edited model:" not in words(app)
    assert [side["name"] for side in shown["comparison"][1]["sides"]] == ["as trained", "edited"]


def test_another_model_is_on_the_right(shown: dict[str, Any], shipped: Checkpoint, tmp_path: Path, monkeypatch: Any) -> None:
    for name in ("en-de", "twin"):
        shutil.copytree(models.ROOT / "en-de", tmp_path / name)
    monkeypatch.setattr(models, "ROOT", tmp_path)
    arrived(shown, pair="models")
    tensors, about = shown["comparison"]
    assert [side["name"] for side in about["sides"]] == ["en-de", "twin"]
    assert "4 + 4 layers, 8 heads, d_model 256, 9.4 million" in about["sides"][1]["details"][0]
    assert about["compared"]
    assert not tensors["divergence"].any()


def test_the_verdict_on_a_pair_of_ours_is_measured_on_the_loaded_model(shown: dict[str, Any], shipped: Checkpoint) -> None:
    schema = schemas()[0]
    for first, second in (schema.sentences, schema.sentences[::-1]):
        said = words(arrived(shown, text=first, second=second))
        assert "this model switches to the correct pronoun in **0**" in said
        assert "Over **12 such pairs**" in said
        assert "For this pair, no." in said
    assert "such pairs" not in words(arrived(shown, second=OTHER))
