"""The page "The code" in a real browser: a click into the map goes to that call, and formula, line and numbers fit the stage."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Frames, follows, open_at, query, settle

pytestmark = pytest.mark.e2e
TEXT = "text=The+cat+sleeps."


def click(page: Page, name: str) -> None:
    """A click on the first box of the map that has this name, once the map stands still."""
    settle(page)
    box = page.locator(".annotation-text", has_text=re.compile(f"^{re.escape(name)}$")).first.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_into_the_map_goes_to_that_call(page: Page, server: str) -> None:
    open_at(page, f"{server}/code?{TEXT}&call=10")
    expect(page.locator(".source.near .highlighted").first).to_contain_text('tap("scaled"')
    click(page, "dec 2")
    expect(page.locator(".source.near .highlighted").first).to_contain_text("tap(norm_site")
    click(page, "softmax")
    expect(page.locator(".source.near .highlighted").first).to_contain_text('tap("weights"')
    settle(page)
    at = int(query(page)["call"])
    page.get_by_role("button", name="next ▶").click()
    follows(page, call=str(at + 1))
    expect(page.locator(".source.near .highlighted").first).to_contain_text('tap("mix"')
    page.reload()
    settle(page)
    expect(page.locator(".source.near .highlighted").first).to_contain_text('tap("mix"')


@pytest.mark.parametrize("by", ["key", "mouse"])
def test_the_line_of_the_next_call_is_in_sight_but_nothing_moves_under_a_mouse(page: Page, server: str, by: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_at(page, f"{server}/code?{TEXT}&call=13")
    line, bar = page.locator(".source.near .highlighted"), page.locator(".viz-player .transport").bounding_box()
    button = page.get_by_role("button", name="next ▶")
    was = button.bounding_box()
    if by == "key":
        button.press("Enter")
    else:
        button.click()
    expect(line).to_contain_text('tap("mix"')
    settle(page)
    box = line.bounding_box()
    assert box and bar and was
    assert (box["y"] + box["height"] <= bar["y"]) == (by == "key")
    assert (button.bounding_box() == was) == (by == "mouse")


def test_a_line_leads_to_its_formula_by_pointer_and_by_enter(page: Page, server: str) -> None:
    open_at(page, f"{server}/code?{TEXT}&call=10")
    line = page.locator(".source.near [role=link]")
    line.filter(has_text='tap("weights"').locator("em").click()  # the shape behind it, too
    follows(page, call="13")
    expect(page.locator(".st-key-_page .katex").first).to_contain_text("softmax")
    expect(page.locator(".source.near .highlighted")).to_contain_text('tap("weights"')
    line.filter(has_text='tap("mix"').focus()
    page.keyboard.press("Enter")
    follows(page, call="14")
    expect(page.locator(".source.near .highlighted [role=link]")).to_be_focused()  # so that Tab goes on from here


@pytest.mark.parametrize(("address", "shows"), [("call=82", "head 2 of 8"), ("show=variants", "«Die», layer 2, head 2")])
def test_step_layer_and_head_ask_for_nothing(page: Page, server: str, frames: Frames, address: str, shows: str) -> None:
    to, of = frames
    open_at(page, f"{server}/code?{TEXT}&layer=1&head=1&{address}")
    table = page.locator(".viz-tables")
    expect(table.locator("tbody tr").first).to_be_visible()
    settle(page)
    was = table.inner_text()
    to.clear()
    of.clear()
    for key in ("ArrowRight", "ArrowDown", "]"):
        page.keyboard.press(key)
    settle(page)
    assert (to, of) == ([], [])
    assert {"step": "2", "layer": "2", "head": "2"}.items() <= query(page).items()
    assert table.inner_text() != was
    expect(table).to_contain_text(shows)
    if address.startswith("call"):
        expect(page.locator(".annotation-text", has_text=re.compile("^dec 2$"))).to_have_attribute(
            "data-unformatted", "<b>dec 2</b>"
        )
        page.get_by_role("button", name="next ▶").click()  # from the layer that the browser shows
        follows(page, call="83", layer="2")


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_formula_line_and_numbers_stand_on_the_stage(page: Page, server: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_at(page, f"{server}/code?{TEXT}&call=13&lecture=on")
    for part in (".st-key-_page .katex", ".source.near .highlighted", ".corner tbody tr", ".st-key-_page .js-plotly-plot"):
        expect(page.locator(part).first).to_be_visible()
        box = page.locator(part).first.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width, part
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, part
    page.get_by_role("button", name="next ▶").click()
    follows(page, call="14")
    size = float(
        page.locator(".source.near .highlighted").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom")
    )
    assert 18 * height / 720 <= size * 1.02 and size < 22 * height / 720
