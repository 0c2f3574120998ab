"""What a browser hands back of the talks that it keeps: nothing of it is trusted."""

from typing import Any

import pytest

from viz_core.app import session
from viz_core.app.talks import in_browser, library

TALK = '[[view]]\npage = "overview"\ntitle = "Mine"\n'


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    held: dict[str, Any] = {}
    monkeypatch.setattr(session, "get", lambda name, default=None: held.get(name, default))
    monkeypatch.setattr(session, "pop", lambda name: held.pop(name, None))
    monkeypatch.setattr(session, "change", held.update)
    monkeypatch.setattr(session, "visit", lambda link: held.update(visited=link))
    monkeypatch.setattr(session, "tour", lambda: {"overview": None})
    monkeypatch.setattr(library, "parameters", lambda pages: ())
    return held


def test_a_talk_comes_back_and_the_link_that_waits_for_it_is_shown(state: dict[str, Any]) -> None:
    link = {"talk": "mine", "at": "1"}
    state["_awaited"] = link
    in_browser.restore([["mine", TALK], ["other", TALK]])
    assert [*state["_own_talks"]] == ["mine", "other"]
    assert state["_own_talks"]["mine"][0].views[0].title == "Mine"
    assert state["visited"] == link


def test_a_talk_that_this_session_has_stays(state: dict[str, Any]) -> None:
    state["_own_talks"] = {"mine": "as it is"}
    in_browser.restore([["mine", TALK]])
    assert state["_own_talks"] == {"mine": "as it is"}


@pytest.mark.parametrize(
    "message",
    [
        None, "mine", {"mine": TALK}, [None], [["mine"]], [["mine", 3]], [[["mine"], TALK]], [["../mine", TALK]], [["<b>", TALK]],
        [["", TALK]], [["mine", "x" * 1_000_001]], [["mine", "[[view]]"]], [["mine", "["]],
    ],
)  # fmt: skip
def test_whatever_a_browser_hands_back_is_survived(state: dict[str, Any], message: Any) -> None:
    in_browser.restore(message)
    assert not state.get("_own_talks")
    assert "visited" not in state


def test_no_more_talks_come_back_than_a_browser_keeps(state: dict[str, Any]) -> None:
    in_browser.restore([[f"mine-{number}", TALK] for number in range(100)])
    assert len(state["_own_talks"]) == in_browser.MOST
