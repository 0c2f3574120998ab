"""The views of "Why this word?" follow step, layer and head in the browser: nothing is asked of the server."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Frames, open_at, query, settle, turn_to

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map.&layer=1&head=1"


@pytest.fixture
def page(kept: Page) -> Page:
    """The tab that is kept: an address says all that is changed here."""
    return kept


def test_a_click_on_a_head_and_on_a_line_stays_in_the_browser(page: Page, server: str, frames: Frames) -> None:
    to, of = frames
    turn_to(page, f"{server}/why?{TEXT}&show=alignment")
    plots = page.locator(".viz-plot [role=slider]")
    expect(plots).to_have_count(2)
    settle(page)
    to.clear()
    of.clear()
    for plot, keys in ((plots.nth(1), ("ArrowDown", "ArrowRight")), (plots.nth(0), ("ArrowDown",))):
        plot.focus()
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
    settle(page)
    assert (to, of) == ([], [])
    assert {"layer": "2", "head": "2"}.items() <= query(page).items() and query(page)["step"] != "1"


def test_what_the_pointer_said_of_one_step_goes_with_the_next(fresh: Page, server: str) -> None:
    open_at(fresh, f"{server}/why?{TEXT}&show=alignment&by=head_by")
    plot = fresh.locator(".viz-plot [role=slider]").last
    expect(plot).to_be_visible()
    settle(fresh)
    box = plot.locator(".nsewdrag").bounding_box()
    assert box
    words = plot.locator(".hovertext")
    for aside in (20, 24):
        fresh.mouse.move(box["x"] + aside, box["y"] + aside)
    expect(words).to_have_count(1)
    fresh.keyboard.press("]")
    expect(words).to_have_count(0)
    fresh.keyboard.press("Tab")  # from here on the keyboard points
    plot.focus()
    fresh.keyboard.press("ArrowDown")
    expect(words).to_have_count(1)
    said = plot.get_attribute("aria-valuetext")
    fresh.keyboard.press("ArrowRight")
    fresh.keyboard.press("Enter")
    settle(fresh)
    expect(words).to_have_count(1)
    assert plot.get_attribute("aria-valuetext") != said


def test_a_highlighted_word_of_the_lines_is_written_once(page: Page, server: str) -> None:
    turn_to(page, f"{server}/why?text=The+otter+paints+the+map.&show=alignment&step=2")
    words = page.locator(".viz-plot").first.locator(".annotation-text")
    bold = words.filter(has=page.locator("css=tspan[style*=bold]"))
    middle = page.locator(".viz-plot").first.bounding_box()
    assert middle
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        settle(page)  # two words were bold before as well
        expect(bold).to_have_count(2)
        written = words.evaluate_all("nodes => nodes.map((node) => [node.textContent, node.getBoundingClientRect().right])")
        left = [text for text, right in written if right < middle["x"] + middle["width"] / 2]
        assert sorted(left) == sorted(["source", *["The", "otter", "paints", "the", "map", "."]]), left
        page.keyboard.press(key)
