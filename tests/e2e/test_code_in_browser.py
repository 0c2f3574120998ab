"""The page "The code" in a real browser: a click into the map goes to that call, and a line to its formula."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import follows, query, settle, turn_to

pytestmark = pytest.mark.e2e
TEXT = "text=The+cat+sleeps."


def click(page: Page, name: str) -> None:
    """A click on the first box of the map that has this name: the pointer walks along the rows until the line below says so."""
    settle(page)
    canvas = page.locator(".viz-call-map canvas")
    box = canvas.bounding_box()
    assert box
    for y in range(20, int(box["height"]), 40):
        for x in range(100, int(box["width"]), 20):
            page.mouse.move(box["x"] + x, box["y"] + y)
            if name in page.locator(".viz-call-map .reading").inner_text():
                page.mouse.click(box["x"] + x, box["y"] + y)
                return
    raise AssertionError(f"{name} is not on the map")


def test_a_click_into_the_map_goes_to_that_call(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/code?{TEXT}&call=10")
    expect(kept.locator(".source.near .highlighted").first).to_contain_text('tap("scaled"')
    click(kept, "decoder layer 2")
    expect(kept.locator(".source.near .highlighted").first).to_contain_text("tap(norm_site")
    click(kept, "self_attn.weights")
    expect(kept.locator(".source.near .highlighted").first).to_contain_text('tap("weights"')
    settle(kept)
    at = int(query(kept)["call"])
    kept.get_by_role("button", name="next ▶").click()
    follows(kept, call=str(at + 1))
    expect(kept.locator(".source.near .highlighted").first).to_contain_text('tap("mix"')


def test_a_line_leads_to_its_formula_by_pointer_and_by_enter(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/code?{TEXT}&call=10")
    line = kept.locator(".source.near [role=link]")
    line.filter(has_text='tap("weights"').locator("em").click()  # the shape behind it, too
    follows(kept, call="13")
    expect(kept.locator(".st-key-_page .katex").first).to_contain_text("softmax")
    expect(kept.locator(".source.near .highlighted")).to_contain_text('tap("weights"')
    line.filter(has_text='tap("mix"').focus()
    kept.keyboard.press("Enter")
    follows(kept, call="14")
    expect(kept.locator(".source.near .highlighted [role=link]")).to_be_focused()  # so that Tab goes on from here


def test_the_map_and_the_table_follow_step_layer_and_head(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/code?{TEXT}&layer=1&head=1&call=82")
    expect(kept.locator(".viz-corner tbody tr").first).to_be_visible()
    for key in ("ArrowRight", "ArrowDown", "]"):
        kept.keyboard.press(key)
    expect(kept.locator(".viz-corner")).to_contain_text("head 2 of 8")
    expect(kept.locator(".viz-call-map .reading")).to_contain_text("decoder.1.")
    kept.get_by_role("button", name="next ▶").click()  # from the layer that the browser shows
    follows(kept, call="83", layer="2")
