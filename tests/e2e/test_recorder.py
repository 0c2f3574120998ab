"""The recorder of talks, typed into as one types: each text stays with the view for which it was typed."""

import time
import tomllib
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import follows, open_at, settle, turn_to

pytestmark = pytest.mark.e2e
KEPT = "() => new Map(JSON.parse(localStorage.getItem('viz-talks') ?? '[]')).get('recorded') ?? ''"


def keeps(page: Page, *wanted: dict[str, Any]) -> None:
    """Waits until the browser keeps these views, each with these values among others; None: without one."""
    until = time.monotonic() + 20
    found: list[dict[str, Any]] = []
    while time.monotonic() < until:
        settle(page)
        kept = tomllib.loads(page.evaluate(KEPT))["view"]
        found = [{name: view.get(name) for name in one} for view, one in zip(kept, wanted, strict=False)]
        if len(kept) == len(wanted) and found == [*wanted]:
            return
    assert found == [*wanted]


def add(page: Page, number: int) -> None:
    page.keyboard.press("a")
    expect(page.get_by_text(f"View {number} added")).to_be_visible()
    settle(page)


def opened(page: Page) -> Locator:
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("tab", name="Record a talk").click()
    settle(page)
    return page.get_by_test_id("stPopoverBody")


def pick(page: Page, body: Locator, label: str) -> None:
    views = body.get_by_role("combobox", name="Views recorded")
    views.scroll_into_view_if_needed()
    settle(page)  # as a reader does, who scrolls before the click: Streamlit closes a list when its popover scrolls
    views.click()
    page.get_by_role("option", name=label, exact=True).click()
    settle(page)


def test_a_talk_is_recorded_written_kept_and_played(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.")
    for number in range(1, 3):
        add(page, number)
        page.keyboard.press("ArrowRight")
    turn_to(page, f"{server}/qkv?text=I+love+you.&kind=cross&role=k&layer=2")
    add(page, 3)
    body = opened(page)
    pick(page, body, "1  Output")
    body.get_by_label("Its title").click()
    page.keyboard.press("Control+a")
    for text in ("Which word?", "Guess the German.", "It says Ich."):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(body.get_by_role("combobox", name="Views recorded")).to_have_value("1  Which word?")
    first = {"title": "Which word?", "caption": "Guess the German.", "note": "It says Ich."}
    keeps(page, first, {"title": "Output", "note": None, "step": 2}, {"page": "qkv"})

    body.get_by_role("button", name="Down", exact=True).click()
    settle(page)
    expect(body.get_by_label("Its note")).to_have_value("It says Ich.")
    keeps(page, {"title": "Output", "step": 2}, first, {"page": "qkv"})
    pick(page, body, "1  Output")
    expect(body.get_by_label("Its note")).to_have_value("")
    body.get_by_role("button", name="Remove", exact=True).click()
    keeps(page, first, {"page": "qkv"})

    page.reload()  # which begins a new session
    settle(page)
    opened(page)
    expect(page.get_by_text("This browser keeps the talk.")).to_be_visible()
    page.get_by_role("button", name="Play from here").click()
    count = page.locator(".viz-bar .count")
    expect(count).to_have_text("view 1 of 2")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
    follows(page, talk="recorded", at="1", step=None)
    page.keyboard.press("PageDown")
    follows(page, at="2", kind="cross", role="k", layer="2")
    page.reload()
    expect(count).to_have_text("view 2 of 2")
