"""The first run of a server: what stands on the page stays at its place when that run is over."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import ROOT
from viz_core.app import coldstart


def places(app: AppTest) -> dict[int, str]:
    """What stands at which place of the page, but for the place of the first run."""
    return {place: child.type for place, child in app.main.children.items() if place > 0}


def test_nothing_moves_after_the_first_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(coldstart, "_loaded", set())
    app = AppTest.from_file(ROOT / "pages" / "tour.py", default_timeout=120).run()
    first = places(app)
    assert first
    assert places(app.run()) == first
