"""The address: what a link asks for is shown once, by a run that ends."""

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from tests.foot import ask
from tests.pages.test_all_pages import address, opened, view
from viz_core.app import addressed, frame, language, session
from viz_core.app.request import LONGEST, MOST, Request, read


def test_a_link_whose_first_run_is_interrupted_is_shown_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise StopException

    with monkeypatch.context() as during:
        during.setattr(language, "sync_from_url", interrupt)  # a message of the browser, as soon as the link is read
        app = opened("overview/page.py", text="I love you.", step="2")
    assert "_view" not in app.session_state
    app.run()
    assert (view(app).sentence.text, view(app).step) == ("I love you.", 1)
    assert view(app.run()).step == 1, "it is what is shown"


def test_a_message_is_heard_though_streamlit_took_an_earlier_one_for_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs begin at once: one has put back all messages, the other takes one, then the first one keeps what it finds."""
    state = SessionState()

    def arrives(message: str) -> None:
        state._new_widget_state.set_from_value("events", [{"event": "visit", "value": message}])

    state.register_widget(WidgetMetadata("events", lambda _: None, str, "json_trigger_value"), None)
    presenter = make_bidi_component_presenter("events", "$$ID-part")
    state.register_widget(WidgetMetadata("$$ID-part", lambda _: {}, str, "json_value", presenter=presenter), "part")
    arrives("first")
    state._compact_state()
    arrives("second")
    assert state["part"] == {"visit": "first"}, "Streamlit's fault, without which `heard` can be simpler"
    monkeypatch.setattr(st, "session_state", SimpleNamespace(get=state.__getitem__))
    assert session.heard("part", "visit") == "second"
    arrives("third")
    assert session.heard("part", "visit") == "third"


def test_a_run_that_fails_reports_the_address_that_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    monkeypatch.setattr(addressed, "connect", lambda name, data, *_: told.append(data))
    app = opened("overview/page.py")
    with monkeypatch.context() as during:
        during.setattr(frame, "downloads", None)
        app.session_state["_request"] = Request({"text": "I love you.", "step": "2"}, number=7)
        assert app.run().exception
    assert (told[-1]["visited"], told[-1]["kept"]) == (7, {"text": "I love you.", "step": "2"})
    assert told[-1]["is_empty"] and not told[0].get("is_empty")


@pytest.mark.parametrize(
    "said", [3, "x", [], {}, {"number": "1"}, {"number": True}, {"of": 3, "carried": [1], "dormant": {"a": 1}}]
)
@pytest.mark.parametrize(
    "parameters", [None, 7, ["a"], {"text": 1, 2: "a"}, {"text": "🦔 \ud83e"}, {str(i): "x" * 30_000 for i in range(99)}]
)
def test_whatever_a_browser_says_only_texts_are_taken(parameters: object, said: object) -> None:
    asked = read(parameters, said, Request(number=7))
    for texts in (asked.parameters, asked.carried, asked.of, asked.dormant):
        assert len(texts) <= MOST and all(len(text) <= LONGEST for text in texts.values())
        "".join([*texts, *texts.values()]).encode()
    assert asked.number == 7


def test_a_control_begins_anew_with_what_it_is_a_list_of_and_a_link_or_a_pick_counts() -> None:
    app = opened("tokens/page.py", text="The cat sleeps.", done="3")
    assert address(app)["done"] == "3" and not app.warning
    assert "done" not in address(ask(app, text="Where is the train station?")), "of another sentence"
    assert address(ask(app, done="2"))["done"] == "2"
    assert address(ask(app, lecture="on"))["done"] == "2" and not app.warning
