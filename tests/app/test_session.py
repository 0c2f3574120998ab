"""The address: what a run shows is in it, whatever the browser reported with that run."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.state.query_params import QueryParams

from tests.pages.test_all_pages import opened
from viz_core.app import language


def test_an_address_that_the_browser_has_not_reported_yet_is_written_over(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("output/page.py", text="I love you.", step="1")
    written: list[dict[str, str]] = []

    def write(self: QueryParams, address: Mapping[str, str]) -> None:
        written.append(dict(address))  # on its way: the browser still reports the one before

    monkeypatch.setattr(QueryParams, "from_dict", write)
    for step in (2, 1):
        app.session_state["step"] = step
        app.run()
    assert [address.get("step") for address in written] == ["2", None]


def test_a_link_whose_first_run_is_interrupted_is_shown_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise StopException

    with monkeypatch.context() as during:
        during.setattr(language, "sync_from_url", interrupt)  # a message of the browser, as soon as the link is read
        app = opened("overview/page.py", text="I love you.", step="2")
    assert "_view" not in app.session_state
    app.run()
    assert (app.session_state["text"], app.session_state["step"]) == ("I love you.", 2)
    app.session_state["step"] = 1
    app.run()
    assert app.session_state["step"] == 1, "shown once"
