"""Talks without a browser: by link, recorded, opened from a file; and the link that is shared."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.foot import ask, led
from tests.pages.test_all_pages import NAMES, address, view
from viz_core.app import talks
from viz_core.app.markup import markdown
from viz_core.app.request import Request
from viz_core.app.talks import library
from viz_core.app.top_bar import link_to, only_here
from viz_core.texts import texts

ROOT = Path(__file__).parents[3]
TALK = """
title = "Three"
minutes = 3
[[view]]
page = "overview"
title = "One"
text = "I love you."
note = "Say <b>this</b>,\\nand that.\\n\\nThen wait."
[[view]]
page = "cross_attention"
title = "Two *stars*"
caption = "Look at <b>this</b>."
text = "The cat sleeps."
step = 2
layer = 3
hide = "source"
[[view]]
page = "cross_attention"
title = "Three"
"""
BROKEN = TALK + '[[view]]\npage = "nowhere"\ntitle = "Lost"\n'


@pytest.fixture(autouse=True)
def _three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    (tmp_path / "three.toml").write_text(TALK)
    yield


def opened(**parameters: str) -> AppTest:
    app = AppTest.from_file(ROOT / "pages" / "tour.py", default_timeout=120)
    app.query_params |= parameters
    return led(app.run())


def turn(app: AppTest, message: dict[str, Any]) -> AppTest:
    """What the player's trigger does in a browser: the callback, then a run."""
    name, at, lecture = app.session_state["_talk"], message["to"], message.get("lecture", False)
    assert name
    app.session_state["_request"] = Request({"talk": name, "at": str(at + 1), **({"lecture": "on"} if lecture else {})})
    return led(app.run())


def talks_open(app: AppTest) -> AppTest:
    """With the talks, and the recorder, in sight."""
    app.session_state["_talks_of_overview"] = True
    return app.run()


def test_a_link_into_a_talk_shows_its_view_with_its_caption_in_place_of_what_the_page_says_of_itself() -> None:
    app = opened(talk="three", at="2", lecture="on")
    assert app.title[0].value == "Two &#42;stars&#42;"
    assert (view(app).step, view(app).layer) == (1, 2)
    wanted = {
        "talk": "three", "at": "2", "lecture": "on", "predict": "source", "text": "The cat sleeps.", "step": "2", "layer": "3",
    }  # fmt: skip
    assert address(app) == wanted
    assert not app.warning
    lead, caption = texts("cross_attention")["what"], markdown("Look at <b>this</b>.")
    said = [one.value for one in app.markdown]
    assert caption in said
    assert lead not in said
    said = [one.value for one in turn(app, {"to": 2}).markdown]
    assert (lead in said, caption in said) == (True, False)


def test_a_view_that_does_not_exist_becomes_the_nearest_with_one_notice_that_waits_for_the_end_of_lecture_mode() -> None:
    app = opened(talk="three", at="99", lecture="on")
    assert app.session_state["_at"] == 2
    assert not app.warning
    assert not led(app.run()).warning
    assert len(led(ask(app, lecture=None)).warning) == 1
    assert not led(ask(app, step="2")).warning


def test_an_unknown_talk_leaves_the_view_and_gives_one_notice() -> None:
    app = opened(talk="../<script>\0", at="2", step="2", lecture="on")
    assert app.session_state["_talk"] is None and not app.session_state["_lecture"]
    assert view(app).step == 1
    assert len(app.warning) == 1 and "three" in app.warning[0].value
    assert "talk" not in address(app)


def test_a_recorded_talk_comes_back_from_its_file() -> None:
    app = talks_open(opened(text="Where is the train station?", step="3", layer="2"))
    for title, note in (("First", 'Say "this"\n\nand that'), ("Second", "")):
        app.text_input(key="_rec_title").set_value(title)
        app.text_area(key="_rec_note").set_value(note)
        add = next(button for button in app.button if button.label.startswith("Add this view"))
        led(add.click().run())
        assert [said.value for said in app.toast if title in said.value]
        led(ask(app, step=view(app).step + 2))
    assert app.session_state["_rec_title"] == ""
    recorded, _ = app.session_state["_own_talks"]["recorded"]
    again, problems = talks.loads(talks.dumps(recorded), "recorded", ["overview"])
    assert not problems
    assert again == recorded
    assert [(view.title, view.page) for view in again.views] == [("First", "overview"), ("Second", "overview")]
    assert [view.parameters["step"] for view in again.views] == ["3", "4"]
    assert again.views[0].note == 'Say "this"\n\nand that'

    led(app.button(key="_rec_up").click().run())
    assert [view.title for view in app.session_state["_own_talks"]["recorded"][0].views] == ["Second", "First"]
    led(app.button(key="_rec_play").click().run())
    assert (app.session_state["_talk"], app.title[0].value, view(app).step) == ("recorded", "Second", 3)
    assert "_rec_play" not in [button.key for button in app.button], "the panel would stay open over the view"
    talks_open(app)
    for _ in range(2):
        led(app.button(key="_rec_remove").click().run())
    assert app.session_state["_own_talks"]["recorded"][0].views == ()


def test_the_link_is_the_address_without_what_belongs_to_the_stage() -> None:
    address = {"text": "Ä & <b>", "step": "2", "lecture": "on", "talk": "three", "at": "1", "predict": "word"}
    assert link_to("https://x.org/app/qkv", address) == "https://x.org/app/qkv?text=%C3%84+%26+%3Cb%3E&step=2&predict=word"
    assert link_to("https://x.org", {}) == "https://x.org/"


HERE = ["http://localhost:8501/", "http://127.0.0.1/x", "http://[::1]:1/", "http://0.0.0.0:8501/"]
ANYWHERE = ["http://192.168.0.7:8501/", "https://viz.example.org/", "http://localhost.example.org/"]


@pytest.mark.parametrize("link", [*HERE, *ANYWHERE])
def test_a_link_that_only_this_machine_can_open_is_known(link: str) -> None:
    assert only_here(link) is (link in HERE)


def lists_of_mistakes(app: AppTest) -> int:
    return sum(f"Line {BROKEN[: BROKEN.index('nowhere')].count(chr(10)) + 1}:" in warning.value for warning in app.warning)


def test_the_mistakes_of_a_talk_are_reported_once_when_it_is_opened_and_never_on_stage(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(BROKEN)
    app = opened(talk="bad", at="3")
    assert app.title[0].value == "Three", "the rest plays"
    assert [lists_of_mistakes(app), lists_of_mistakes(led(app.run()))] == [1, 0]
    on_stage = opened(talk="bad", at="2", lecture="on")
    assert lists_of_mistakes(on_stage) == 0
    assert lists_of_mistakes(led(ask(on_stage, lecture=None))) == 1


def test_a_view_may_set_every_control_of_a_page_and_a_typo_is_reported() -> None:
    assert {"case", "size", "show", "task"} <= {*library.parameters(NAMES)}
    _, problems = talks.loads(TALK + 'not = "typo"\n', "slip", ["overview", "cross_attention"], library.parameters(NAMES))
    assert [problem.reason for problem in problems] == ["«not»: no page knows this name; it is left out. Did you mean note?"]
