"""The view "Copying": it helps where it is meant to, and says when there is no gate. Its numbers: tests/golden."""

import shutil
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.foot import ask, led
from tests.pages.test_all_pages import ROOT, words
from viz_core.analysis.unseen_names import NamedSentence, name_translations
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import NAME, read

PAGE = "decoding/page.py"
TEXT = "Have you ever been to Zorvana?"


def test_a_name_that_the_model_never_saw_comes_out_right(shipped: Checkpoint) -> None:
    pointer = read(ROOT / "checkpoints" / "en-de", shipped)
    assert pointer
    kept = name_translations(shipped, pointer, [NamedSentence(TEXT, "Zorvana"), NamedSentence("I love you.", "Zorvana")])
    assert [(each.in_plain, each.in_copying) for each in kept] == [(False, True), (False, False)]


def test_without_a_gate_or_with_that_of_another_model_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(shutil.copytree(ROOT / "checkpoints" / "en-de", tmp_path / "en-de"))
    other = (ROOT / "checkpoints" / "en-de" / NAME).read_bytes().replace(models.get_checkpoint("en-de").digest.encode(), b"0" * 64)
    monkeypatch.setattr(models, "ROOT", tmp_path)
    (folder / NAME).write_bytes(other)
    app = AppTest.from_file(ROOT / "pages" / "tour.py", default_timeout=120).run()
    led(app, PAGE)
    ask(app, text=TEXT, case="copying")
    assert any("belongs to other weights" in unescape(error.value) for error in app.error)
    (folder / NAME).unlink()
    app.run()
    assert "has no copy gate" in words(app)
    assert not app.error
