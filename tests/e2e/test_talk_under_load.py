"""Talks on a server that is so slow that the browser asks again and interrupts the run: every view is the one in its file."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.driving import NAMES, settle, url_path
from viz_core.app import talks
from viz_core.app.chosen import DEFAULT_TEXT
from viz_core.app.talks import Talk, TalkView, library
from viz_core.app.view_options import DEFAULT
from viz_core.params import OPTIONS

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
STRETCHES = (("what-heads-do", 28, 29), ("twelve-steps", 4, 5))
"""Of a talk, from one view to another, numbered from 1: where it goes to another page. Each in a tab of its own, all at a time."""
FIRST = {
    **{name: str(getattr(DEFAULT, name)) for name in OPTIONS},
    "text": DEFAULT_TEXT, "step": "1", "layer": "1", "head": "1", "predict": "", "snapshot": "end",
}  # fmt: skip
"""What an address that does not name it means; of a page's own controls what the talks here name is never that."""
STORE = "globalThis[Symbol.for('viz_core.store')]"
LINK = "Object.fromEntries(new URLSearchParams(location.search))"
SHOWN = f"() => ({{ page: {STORE}.limits.page, path: location.pathname, view: {STORE}.view, link: {LINK} }})"


def read(name: str) -> Talk:
    return talks.load(ROOT / "talks" / f"{name}.toml", NAMES, library.parameters(NAMES))[0]


def wrong(tab: Page, view: TalkView) -> dict[str, Any]:
    """What differs from the view in the file: what it should be, and what is in the address or in the browser's store."""
    now = tab.evaluate(SHOWN)
    wanted = {"page": view.page, "path": f"/{url_path(view.page)}", **view.link()}
    told = {**FIRST, **now["link"], "page": now["page"], "path": now["path"]}
    seen = {name: (value, told.get(name)) for name, value in wanted.items() if told.get(name) != value}
    for name in ("step", "layer", "head"):
        if (there := now["view"][name] + 1) != int(wanted.get(name, "1")):
            seen[f"store.{name}"] = (wanted.get(name, "1"), there)
    return seen


def test_no_view_is_lost_when_its_run_is_interrupted(browser: Browser, slow: str) -> None:
    tabs = [browser.new_context(viewport={"width": 1280, "height": 720}).new_page() for _ in STRETCHES]
    for tab, (name, first, _) in zip(tabs, STRETCHES, strict=True):
        tab.set_default_timeout(120_000)
        tab.goto(f"{slow}/?talk={name}&at={first}&lecture=on")
    for tab in tabs:
        settle(tab)
    found = {}
    for further in range(1, 1 + max(last - first for _, first, last in STRETCHES)):
        going = [(tab, name, at + further) for tab, (name, at, last) in zip(tabs, STRETCHES, strict=True) if at + further <= last]
        for tab, _, _ in going:
            if tab.evaluate(f"{STORE}.view.predict"):
                tab.keyboard.press("PageDown")  # reveals
            tab.keyboard.press("PageDown")
        for tab, name, number in going:
            tab.wait_for_function(
                f"new URLSearchParams(location.search).get('at') === '{number}' && location.search.includes('text=')"
            )
            settle(tab)
            if differs := wrong(tab, read(name).views[number - 1]):
                found[name, number] = differs
    for tab in tabs:
        tab.context.close()
    assert not found


def test_the_first_press_counts_however_early_it_comes(browser: Browser, slow: str) -> None:
    tab = browser.new_page(viewport={"width": 1280, "height": 720})
    tab.set_default_timeout(120_000)
    tab.goto(f"{slow}/?talk=twelve-steps&at=6&lecture=on")
    tab.wait_for_function(f"{STORE}?.early")
    assert not tab.locator("[class*=viz-bar]").count(), "Python has not said yet what is shown"
    tab.keyboard.press("PageDown")
    tab.wait_for_function("new URLSearchParams(location.search).get('at') === '7'")
    tab.close()
