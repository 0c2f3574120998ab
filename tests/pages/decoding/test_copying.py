"""The view "Copying": its numbers are those of the decoding, it follows the step, and it says when there is no gate."""

import shutil
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.copying_compute import CopiedSentence, decode_with_copying
from tests.foot import ask, led
from tests.pages.decoding.shown import words
from tests.pages.test_all_pages import ROOT
from viz_core.analysis.unseen_names import NamedSentence, name_translations
from viz_core.app import models
from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import NAME, read
from viz_core.explain import explain
from viz_core.model.pointer import PointerGenerator

PAGE = "decoding/page.py"
TEXT = "Have you ever been to Zorvana?"


@pytest.fixture(scope="module")
def pointer(shipped: Checkpoint) -> PointerGenerator:
    found = read(ROOT / "checkpoints" / "en-de", shipped)
    assert found
    return found


@pytest.fixture(scope="module")
def found(shipped: Checkpoint, pointer: PointerGenerator) -> CopiedSentence:
    return decode_with_copying(shipped, explain(shipped, TEXT), pointer)


def test_a_name_that_the_model_never_saw_comes_out_right(shipped: Checkpoint, pointer: PointerGenerator) -> None:
    kept = name_translations(shipped, pointer, [NamedSentence(TEXT, "Zorvana"), NamedSentence("I love you.", "Zorvana")])
    assert [(each.in_plain, each.in_copying) for each in kept] == [(False, True), (False, False)]


def test_the_mixture_of_each_step_adds_up(shipped: Checkpoint, found: CopiedSentence) -> None:
    source = explain(shipped, TEXT).source.ids
    for token in found.tokens:
        assert token.probability == pytest.approx(token.p_gen * token.in_vocab + (1 - token.p_gen) * token.copied, rel=1e-4)
        assert token.p_gen == pytest.approx(1 / (1 + np.exp(-sum(token.terms))), rel=1e-4)
        assert [source[i] for i in token.sources] == [token.id] * source.count(token.id)
        assert token.a.sum() == pytest.approx(1, rel=1e-5)
    assert found.heads.sum() == pytest.approx(1)
    name = {token.id for token in shipped.tokenizer.encode("Zorvana", "en").tokens}
    most = [token.id for token in found.tokens if token.share > 0.5]
    assert len(most) >= 3
    assert set(most) <= name


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
