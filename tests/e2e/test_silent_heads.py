"""Heads: a step, another layer or another head is drawn by the browser alone, and a click tells Python where the browser is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.bare import FRAME
from tests.e2e.driving import follows, open_at, query, settle
from tests.e2e.test_silence import REST, Frames, frames  # noqa: F401

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map.&layer=1&head=1"
KEYS = {
    "roles": ("ArrowDown", "]"),
    "ablation": ("ArrowDown", "]"),
    "neurons": ("ArrowRight", "ArrowDown", "]"),
}


@pytest.mark.parametrize("show", KEYS)
def test_each_key_changes_what_is_shown_and_asks_for_nothing(page: Page, server: str, frames: Frames, show: str) -> None:  # noqa: F811
    to, of = frames
    open_at(page, f"{server}/heads?{TEXT}&show={show}")
    below = page.locator(".st-key-_below")
    below.scroll_into_view_if_needed()
    expect(below).to_contain_text("1")
    page.wait_for_timeout(REST)
    to.clear()
    of.clear()
    for key in KEYS[show]:
        was = below.inner_text()
        page.keyboard.press(key)
        page.evaluate(FRAME)
        assert below.inner_text() != was, key
    page.wait_for_timeout(REST)
    assert (to, of) == ([], [])
    assert query(page)["layer"] == "2" and query(page)["head"] == "2"


def test_the_example_is_that_of_the_head_that_the_browser_shows(page: Page, server: str) -> None:
    open_at(page, f"{server}/heads?{TEXT}")
    example = page.locator(".st-key-_below .example")
    example.scroll_into_view_if_needed()
    for key in ("ArrowDown", "ArrowDown", "]", "]"):
        page.keyboard.press(key)
    page.evaluate(FRAME)
    sentence = example.inner_text().split("“")[1].split("”")[0]
    page.locator(".st-key-_evidence button").click()
    page.wait_for_url("**/cross_attention?*")
    settle(page)
    follows(page, layer="3", head="3")
    assert query(page)["text"] == sentence and "cell" in query(page)
