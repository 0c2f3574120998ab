"""One walk through all pages, in light and English: what has to hold on each of them. Another, of the dark: test_axe.py."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import NAMES, open_at, settle
from tests.e2e.test_axe import arrive, findings, moving, told, unnamed_figures, unseen_stops
from tests.e2e.test_chosen import told_by_colour
from tests.e2e.test_languages import HEARD, READ, chinese
from tests.e2e.test_sizes import SIZES, faults
from tests.e2e.test_typeface import system_letters

pytestmark = pytest.mark.e2e
TEXT = "The cat is sleeping on the old sofa."


PARTS = {"first": NAMES[:6], "then": NAMES[6:12], "last": NAMES[12:]}
"""So that two processes can share the work."""


@pytest.mark.parametrize("names", PARTS.values(), ids=PARTS)
def test_every_page_fits_every_window_is_english_and_can_be_used_without_eyes_or_mouse(
    fresh: Page, server: str, names: list[str]
) -> None:
    page = fresh
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(HEARD)
    open_at(page, f"{server}/?text={TEXT}")
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page.locator(".viz-top-bar [lang=de] [aria-current=step]")).to_have_count(1)
    found = {}
    for name in names:
        arrive(page, name, TEXT)
        found[name] = [fault for size in SIZES for fault in faults(page, size)]
        settle(page)
        found[name] += [f"not English: {text}" for text in chinese(page.evaluate(READ))]
        page.evaluate("document.activeElement.blur()")
        found[name] += unseen_stops(page)
        page.locator("[data-testid=stExpander] summary").first.click()
        settle(page)
        found[name] += [f"not in the app's font: {text}" for text in system_letters(page)]
        found[name] += unnamed_figures(page) + findings(page) + moving(page) + told_by_colour(page)
    assert not any(found.values()), told(found)
