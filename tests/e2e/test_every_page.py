"""Two walks through all pages, each of what has to hold on every one: in light and English, in the dark and Chinese.

A third, through all views of another model, is in `test_other_models.py`.
"""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import SIZE
from tests.e2e.driving import NAMES, open_at, settle, turn_to
from tests.e2e.test_axe import OF_COLOURS, arrive, findings, moving, told, unnamed_figures, unseen_stops
from tests.e2e.test_chosen import told_by_colour
from tests.e2e.test_languages import HEARD, READ, VIEWS, chinese, english_in
from tests.e2e.test_languages import TEXT as SHORT
from tests.e2e.test_other_models import FOR_A_READER, LETTERS, on_the_wall
from tests.e2e.test_sizes import PHONE, REFLOW, faults
from tests.e2e.test_typeface import system_letters

pytestmark = pytest.mark.e2e
TEXT = "The cat is sleeping on the old sofa."
BETWEEN = ((1024, 768), (768, 1024), PHONE)
"""Each page in one of these, and in the narrowest and the usual window. The start is looked at in all."""
PARTS = {"first": NAMES[:6], "then": NAMES[6:12], "last": NAMES[12:]}
HALVES = {"first": NAMES[:9], "last": NAMES[9:]}
"""So that processes can share the work."""
FROM_THE_TOP = "document.activeElement.blur()"
FROM_THE_FIGURE = "document.querySelector('.st-key-_page').focus()"
"""Where Tab goes on from: what stands before the figure is the same on all pages."""


@pytest.mark.parametrize("names", PARTS.values(), ids=PARTS)
def test_every_page_fits_every_window_is_english_and_can_be_used_without_eyes_or_mouse(
    fresh: Page, server: str, names: list[str]
) -> None:
    page = fresh
    page.add_init_script(HEARD)
    open_at(page, f"{server}/?text={TEXT}&step=3")
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page.locator(".viz-top-bar [lang=de] [aria-current=step]")).to_have_count(1)
    found: dict[str, list[str]] = {}
    for name in names:
        arrive(page, name, TEXT)
        windows = (BETWEEN[NAMES.index(name) % 3], REFLOW, (SIZE["width"], SIZE["height"]))
        found[name] = []
        for size in windows:
            found[name] += faults(page, size)
            if size == REFLOW:
                settle(page)
                found[name] += [f"{size[0]} px wide: {fault}" for fault in findings(page)]
        settle(page)
        found[name] += [f"not English: {text}" for text in chinese(page.evaluate(READ))]
        page.evaluate(FROM_THE_TOP if name == names[0] else FROM_THE_FIGURE)
        found[name] += unseen_stops(page, least=31 if name == names[0] else 1)
        page.locator("[data-testid=stExpander] summary").first.click()
        settle(page)
        found[name] += [f"not in the app's font: {text}" for text in system_letters(page)]
        found[name] += unnamed_figures(page) + findings(page) + moving(page) + told_by_colour(page)
    assert not any(found.values()), told(found)


@pytest.mark.parametrize("names", HALVES.values(), ids=HALVES)
def test_every_view_is_chinese_and_has_enough_contrast_in_the_dark(browser: Browser, server: str, names: list[str]) -> None:
    context = browser.new_context(viewport=SIZE, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    page.add_init_script(HEARD)
    page.add_init_script(path=LETTERS)
    open_at(page, f"{server}/?text={SHORT}&lang=zh")
    found: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for name in names:
        arrive(page, name, SHORT)
        page.locator("[data-testid=stExpander] summary").first.click()
        settle(page)
        found[name] = findings(page, *OF_COLOURS)
        views = page.locator(VIEWS).first.locator("[role=radio]")
        for at in range(views.count() or 1):
            if at:
                views.nth(at).click()
                settle(page)
            texts |= dict.fromkeys(page.evaluate(READ), f"{name}, view {at + 1}")
            if name != "code":  # whose lines have taps
                found[f"{name}, view {at + 1}, on the wall"] = FOR_A_READER["zh"].findall(on_the_wall(page))
    for block in ("masked&stage=mix", "ffn") if "overview" in names else ():
        turn_to(page, f"{server}/?text={SHORT}&lang=zh&open={block}")
        page.keyboard.press("c")
        found[block] = findings(page, *OF_COLOURS)
    context.close()
    found["texts"] = english_in(texts)
    assert not any(found.values()), told(found)
