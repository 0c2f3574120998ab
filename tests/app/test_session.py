"""The address: what a link asks for is shown once, by a run that ends."""

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from tests.pages.test_all_pages import opened
from viz_core.app import language


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
