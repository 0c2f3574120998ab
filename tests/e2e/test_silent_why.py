"""The views of "Why this word?" follow step, layer and head in the browser: nothing is asked of the server."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Frames, open_at, query, settle, turn_to

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map.&layer=1&head=1"
LINES, HEADS = ".viz-alignment canvas", ".viz-agreement canvas"


def test_arrow_keys_on_the_heads_and_on_the_lines_stay_in_the_browser(kept: Page, server: str, frames: Frames) -> None:
    to, of = frames
    turn_to(kept, f"{server}/why?{TEXT}&show=alignment")
    expect(kept.locator(HEADS)).to_be_visible()
    to.clear()
    of.clear()
    for figure, keys in ((HEADS, ("ArrowDown", "ArrowRight")), (LINES, ("ArrowDown",))):
        for key in keys:
            kept.locator(figure).press(key)
    settle(kept)
    assert (to, of) == ([], [])
    assert {"layer": "2", "head": "2"}.items() <= query(kept).items() and query(kept)["step"] != "1"


def test_what_the_pointer_said_of_one_head_goes_with_the_next(fresh: Page, server: str) -> None:
    open_at(fresh, f"{server}/why?{TEXT}&show=alignment&by=head_by")
    box, said = fresh.locator(HEADS).bounding_box(), fresh.locator(".viz-agreement .reading")
    assert box
    fresh.mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] - 20)
    expect(said).to_contain_text("Head 8 of layer 4")
    fresh.keyboard.press("]")
    expect(said).to_contain_text("Head 2 of layer 1")
