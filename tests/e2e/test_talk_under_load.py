"""A talk on a server that is so slow that the browser asks again and interrupts the run: no press is lost, no view is mixed up."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import SIZE
from tests.e2e.driving import query, settle
from viz_core.app.talk_file.record import load

pytestmark = pytest.mark.e2e
STORE = "globalThis[Symbol.for('viz_core.store')]"
FIRST, LAST = 28, 30
"""Numbers of views, from 1, with which the talk goes to another page."""


def test_no_view_is_lost_when_its_run_is_interrupted(browser: Browser, slow: str) -> None:
    tab = browser.new_page(viewport=SIZE)
    tab.set_default_timeout(120_000)
    tab.goto(f"{slow}/?talk=what-heads-do&at={FIRST}&lecture=on")
    settle(tab)
    talk, _ = load("what-heads-do")
    for number in range(FIRST + 1, LAST + 1):
        if tab.evaluate(f"{STORE}.view.predict"):
            tab.keyboard.press("PageDown")  # reveals
        tab.keyboard.press("PageDown")
        tab.wait_for_function(f"new URLSearchParams(location.search).get('at') === '{number}' && location.search.includes('text=')")
        settle(tab)
        view, shown = talk.views[number - 1], tab.evaluate(f"{STORE}.view")
        wanted = {"text": "", "step": "1", "layer": "1", "head": "1"} | view.link()
        assert (tab.evaluate(f"{STORE}.limits.page"), query(tab)["text"]) == (view.page, wanted["text"]), number
        assert [shown[name] + 1 for name in ("step", "layer", "head")] == [int(wanted[name]) for name in ("step", "layer", "head")]
    tab.close()
