"""The top bar: what one types or chooses there is shown from the next run on, whatever a browser says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import MakeModel, made
from tests.pages.test_all_pages import FILES, address, opened
from viz_core import checkpoint as checkpoints
from viz_core.app import models, top_bar
from viz_core.app.chosen import DEFAULT_TEXT
from viz_core.app.examples import default_text, examples, in_language
from viz_core.checkpoint import Checkpoint
from viz_core.tokenizer import BpeTokenizer, Tokenizer

Say = Callable[..., AppTest]
sent: dict[str, Any] = {}
"""What the bar was given last."""


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch) -> Say:
    """Says something in the browser's place, and runs what follows."""
    waiting: list[tuple[str, Any]] = []
    sent.clear()

    def connect(_: str, data: dict[str, Any], events: tuple[str, ...], hear: Callable[[str, Any], None]) -> None:
        sent.update(data)
        for name, message in waiting:
            assert name in events
            hear(name, message)
        waiting.clear()

    def said(app: AppTest, **messages: Any) -> AppTest:
        waiting.extend(messages.items())
        app.run()
        app.run()
        assert not app.exception
        return app

    monkeypatch.setattr(top_bar, "connect", connect)
    return said


def test_a_new_sentence_starts_at_the_first_step_without_the_old_translation(say: Say) -> None:
    app = say(opened(FILES[0], text="Where is the train station?", target="Wo?", step="2"), source="I love you.")
    assert [app.session_state[name] for name in ("text", "target", "step")] == ["I love you.", "", 1]
    assert address(app) == {"text": "I love you."}
    assert not app.warning


@pytest.mark.parametrize(("typed", "says"), [("\u200b\u200d", True), ("\ufeff\u00ad \u2060", True), (" \t", False)])
def test_a_text_that_cannot_be_seen_says_so(say: Say, typed: str, says: bool) -> None:
    app = say(opened(FILES[0], text="I love you."), source=typed)
    assert app.session_state["_view"] is None
    assert ["cannot be seen" in warning.value for warning in app.warning] == [True] * says


def test_a_translation_of_ones_own_is_read_and_an_empty_one_is_the_model_s(say: Say) -> None:
    app = say(opened(FILES[0], text="I love you.", step="3"), target="Ich mag dich.")
    assert app.session_state["_view"].explanation.given_target
    assert app.session_state["step"] == 1
    say(app, target="")
    assert not app.session_state["_view"].explanation.given_target


def test_a_model_is_one_that_is_offered(say: Say) -> None:
    app = say(opened(FILES[0]), model="en-de-tiny")
    assert app.session_state["_view"].checkpoint.name == "en-de-tiny"
    say(app, model="../../etc")
    assert app.session_state["_view"].checkpoint.name == "en-de-tiny"


@pytest.mark.parametrize(
    "message", [None, 7, ["a"], {"text": "a"}, "", "   ", "\x00", "🦔 \ud83e", "红色的苹果", "</script><b>", "word " * 2000]
)
def test_whatever_is_said_the_page_is_shown(say: Say, message: Any) -> None:
    say(opened(FILES[0]), source=message, target=message, model=message)


def test_without_a_sentence_the_field_is_open_and_the_page_invites(bar: dict[str, Any]) -> None:
    app = opened(FILES[0], text=" ")
    assert app.session_state["_view"] is None
    assert (bar["source"], bar["typed"]["source"]) == ([], " ")
    assert len(bar["examples"]) == len([button for button in app.button if str(button.key).startswith("_invite")])


def test_the_sentence_that_a_talk_replaced_is_the_first_to_choose(say: Say) -> None:
    app = say(opened(FILES[0]), source="My own <b>sentence</b>.")
    assert "My own <b>sentence</b>." not in [text for text, _ in sent["examples"]]
    app.session_state["text"] = "Another one."
    say(app)
    assert sent["examples"][0] == ["My own <b>sentence</b>.", "your sentence"]


def test_a_text_in_another_script_is_offered_the_model_that_reads_it(
    say: Say, make_model: MakeModel, tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese = BpeTokenizer.train(["▁我", "爱", "你", "猫"] * 9, 400)
    of = {"source_vocab": len(chinese), "target_vocab": len(chinese)}
    checkpoints.save(tmp_path / "zh-en", Checkpoint("", make_model(**of), chinese, "zh", "en", ""))
    checkpoints.save(tmp_path / "en-de", made(make_model(), tokenizer))
    monkeypatch.setattr(models, "ROOT", tmp_path)
    app = say(opened(FILES[0], text="我爱你"))
    assert sent["fits"] == ["zh-en", "Switch to zh-en"] and "English" in sent["doubt"]
    say(app, model="zh-en")
    assert app.session_state["model"] == "zh-en" and sent["fits"] is None
    say(app, source="I love you.")
    assert sent["fits"] == ["en-de", "Switch to en-de"] and "Chinese" in sent["doubt"]
    say(app, model="en-de")
    assert sent["fits"] is None


def test_an_example_is_read_in_the_language_of_the_model(
    say: Say, make_model: MakeModel, tokenizer: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoints.save(tmp_path / "en-de", made(make_model(), tokenizer))
    checkpoints.save(tmp_path / "zh-en", Checkpoint("", make_model(), tokenizer, "zh", "en", ""))
    monkeypatch.setattr(models, "ROOT", tmp_path)
    app = opened(FILES[0])
    english, chinese = default_text("en"), default_text("zh")
    assert (app.session_state["text"], sent["examples"]) == (english, examples("en"))
    say(app, model="zh-en")
    assert (app.session_state["text"], sent["examples"]) == (chinese, examples("zh"))
    app.session_state["text"] = "My own sentence."
    say(app, model="en-de")
    assert app.session_state["text"] == "My own sentence."
    assert opened(FILES[0], model="zh-en").session_state["text"] == chinese


def test_the_examples_say_the_same_in_each_language() -> None:
    assert default_text("en") == default_text("xx") == DEFAULT_TEXT
    assert in_language(DEFAULT_TEXT, "zh") == default_text("zh") != DEFAULT_TEXT
    assert in_language("Something else.", "zh") == "Something else."
    assert [in_language(text, "en") for text, _ in examples("zh")] == [text for text, _ in examples("en")]
