"""The page "How it chooses": every control by link, whatever is typed, and what it says when there is nothing to choose from or to
copy. Its numbers: tests/golden.
"""

import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.foot import ask, led
from tests.pages.test_all_pages import ROOT, address, opened, words
from viz_core.analysis.search import BeamOptions, search
from viz_core.analysis.unseen_names import NamedSentence, name_translations
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import NAME, read
from viz_core.explain import explain

PAGE = "decoding/page.py"
TEXT = "She speaks French at home and German at school."


def arrived(shown: dict[str, Any], **parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    shown.clear()
    return opened(PAGE, **{"text": TEXT} | parameters)


def test_the_tree_is_of_what_the_link_asks_for(shown: dict[str, Any], shipped: Checkpoint) -> None:
    asked = {"size": "7", "alpha": "1.3", "n_best": "5", "early": "off"}
    app = arrived(shown, **asked)
    _, about = shown["beam_tree"]
    result = search(shipped, explain(shipped, TEXT), BeamOptions(7, 1.3, 5, early_stop=False))
    assert about["steps"] == len(result.steps)
    assert [one["score"] for one in about["endings"]] == pytest.approx([each.score for each in result.hypotheses])
    assert asked.items() <= address(app).items()
    assert not app.warning


def test_a_search_follows_edits_and_not_what_was_typed(shown: dict[str, Any]) -> None:
    arrived(shown)
    usual = shown["beam_tree"][1]["endings"]
    assert "decoding_limits" not in shown
    arrived(shown, target="Der Hund schläft.", edits="no_causal_mask")
    assert shown["decoding_limits"][1] == {"stops": 0, "typed": True, "forced": []}
    arrived(shown, target="Der Hund schläft.")
    assert shown["beam_tree"][1]["endings"] == usual
    arrived(shown, edits="force.2.Hund")
    assert shown["decoding_limits"][1]["forced"] == [["Hund", 2]]
    tensors, about = shown["beam_tree"]
    assert {about["labels"][str(token)] for token in tensors["token"][tensors["step"] == 1]} == {"Hund"}
    assert about["forced"] == [1] and about["others"][1] == 0 < about["others"][2]
    arrived(shown, edits="force.2.Hund", case="sampling", draw="3", step="2", temp="1.4")
    lines = [line["words"] for line in shown["sampled_sentences"][1]["lines"]]
    assert ["".join(word for word, _, forced in words if forced).count("Hund") for words in lines] == 11 * [1]
    assert shown["truncation"][0]["chosen"][:3, 0].tolist() == [0, 1, 0]


NAMED = "Have you ever been to Zorvana?"


def test_a_name_that_the_model_never_saw_comes_out_right(shipped: Checkpoint) -> None:
    pointer = read(ROOT / "checkpoints" / "en-de", shipped)
    assert pointer
    kept = name_translations(shipped, pointer, [NamedSentence(NAMED, "Zorvana"), NamedSentence("I love you.", "Zorvana")])
    assert [(each.in_plain, each.in_copying) for each in kept] == [(False, True), (False, False)]


def test_without_a_gate_or_with_that_of_another_model_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(shutil.copytree(ROOT / "checkpoints" / "en-de", tmp_path / "en-de"))
    other = (ROOT / "checkpoints" / "en-de" / NAME).read_bytes().replace(models.get_checkpoint("en-de").digest.encode(), b"0" * 64)
    monkeypatch.setattr(models, "ROOT", tmp_path)
    (folder / NAME).write_bytes(other)
    app = AppTest.from_file(ROOT / "pages" / "tour.py", default_timeout=120).run()
    led(app, PAGE)
    ask(app, text=NAMED, case="copying")
    assert any("belongs to other weights" in unescape(error.value) for error in app.error)
    (folder / NAME).unlink()
    app.run()
    assert "has no copy gate" in words(app)
    assert not app.error
