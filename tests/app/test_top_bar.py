"""The top bar: what one types or chooses there is shown from the next run on, whatever a browser says."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import MakeModel, made
from tests.foot import ask
from tests.pages.test_all_pages import FILES, address, opened, view
from viz_core import checkpoint as checkpoints
from viz_core.app import models
from viz_core.app.chosen import ANEW
from viz_core.app.examples import default_text, examples
from viz_core.checkpoint import Checkpoint
from viz_core.tokenizer import BpeTokenizer, Tokenizer


def typed(app: AppTest, text: str) -> AppTest:
    """Another sentence, as the bar asks for it."""
    return ask(app, text=text, **ANEW)


def test_a_new_sentence_starts_at_the_first_step_without_the_old_translation() -> None:
    app = typed(opened(FILES[0], text="Where is the train station?", target="Wo?", step="2"), "I love you.")
    assert address(app) == {"text": "I love you."}
    assert not app.warning


def test_a_text_in_another_script_is_offered_the_model_that_reads_it(
    bar: dict[str, Any], make_model: MakeModel, tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese = BpeTokenizer.train(["▁我", "爱", "你", "猫"] * 9, 400)
    of = {"source_vocab": len(chinese), "target_vocab": len(chinese)}
    checkpoints.save(tmp_path / "zh-en", Checkpoint("", make_model(**of), chinese, "zh", "en", ""))
    checkpoints.save(tmp_path / "en-de", made(make_model(), tokenizer))
    monkeypatch.setattr(models, "ROOT", tmp_path)
    app = opened(FILES[0], text="我爱你")
    assert bar["fits"] == ["zh-en", "Switch to zh-en"] and "English" in bar["doubt"]
    ask(app, model="zh-en")
    assert view(app).checkpoint.name == "zh-en" and bar["fits"] is None
    typed(app, "I love you.")
    assert bar["fits"] == ["en-de", "Switch to en-de"] and "Chinese" in bar["doubt"]
    ask(app, model="en-de")
    assert bar["fits"] is None


def test_an_example_is_read_in_the_language_of_the_model(
    bar: dict[str, Any], make_model: MakeModel, tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints.save(tmp_path / "en-de", made(make_model(), tokenizer))
    checkpoints.save(tmp_path / "zh-en", Checkpoint("", make_model(), tokenizer, "zh", "en", ""))
    monkeypatch.setattr(models, "ROOT", tmp_path)
    app = opened(FILES[0])
    english, chinese = default_text("en"), default_text("zh")
    assert (view(app).sentence.text, bar["examples"]) == (english, examples("en"))
    ask(app, model="zh-en")
    assert (view(app).sentence.text, bar["examples"]) == (chinese, examples("zh"))
    typed(app, "My own sentence.")
    assert view(ask(app, model="en-de")).sentence.text == "My own sentence."
    assert view(opened(FILES[0], model="zh-en")).sentence.text == chinese
