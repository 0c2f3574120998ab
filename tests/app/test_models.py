"""The checkpoints that the app offers."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core.app import models
from viz_core.home import HOME, TOUR


@pytest.fixture
def one_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of two checkpoints the first is no checkpoint."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    (tmp_path / "whole").symlink_to(HOME / "checkpoints" / "en-de-tiny")
    monkeypatch.setattr(models, "ROOT", tmp_path)


@pytest.mark.usefixtures("one_broken")
def test_just_started_a_server_offers_all_and_later_those_that_are_whole() -> None:
    models.verify_later()
    assert models.shipped() == (["broken", "whole"], [])
    assert models.usable()[0] == ["whole"], "who computes with them gets those that are whole"
    assert models.config_of("whole") == models.get_checkpoint("whole").config
    models.prepare()
    names, wrong = models.shipped()
    assert (names, [name for name, _ in wrong]) == (["whole"], ["broken"])


@pytest.mark.usefixtures("one_broken")
def test_the_one_that_is_chosen_first_may_be_broken() -> None:
    models.verify_later()
    app = AppTest.from_file(TOUR, default_timeout=60).run()
    assert not app.exception
    assert app.session_state["_view"].checkpoint.name == "whole"
    assert [warning.value for warning in app.warning if "broken" in warning.value]
