"""From a phone to a large screen: nothing is cut or lies on another, no page scrolls sideways.

`text_boxes.js` looks at the boxes of all texts in HTML and SVG. All pages: test_every_page.py; what opens beside them: test_axe.py.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Source, settle

pytestmark = pytest.mark.e2e

TEXT_BOXES = (Path(__file__).parent / "text_boxes.js").read_text("utf-8")
PHONE, REFLOW = (390, 844), (320, 568)
"""The last is a window of 1280 px enlarged to 400 %, as WCAG asks for."""
SIZES = ((1440, 900), (1024, 768), (768, 1024), PHONE, (360, 740), REFLOW, (1280, 720), REFLOW)
"""A small window has no room for the rail after a large one either."""


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """What is wrong with the page in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settle(page)
    found: list[str] = page.evaluate(TEXT_BOXES)
    return [f"{size[0]} × {size[1]}: {fault}" for fault in found]


CODE = ".st-key-_code summary"


def open_code(page: Page) -> None:
    """Opens the code of a page, and waits until it has come to its height."""
    page.locator(CODE).click()
    settle(page)
    expect(page.locator(".st-key-_code .source").first).to_be_visible()
    page.wait_for_function("!document.querySelector('.st-key-_code details').getAnimations().length")


@pytest.mark.parametrize("view", ["", "cross_attention"])
def test_a_page_fits_every_window(source: Source, view: str) -> None:
    kept = source.turn(view)
    assert not [fault for size in SIZES for fault in faults(kept, size)]


def test_the_examples_fit_a_narrow_window(source: Source) -> None:
    source.tab.set_viewport_size({"width": REFLOW[0], "height": REFLOW[1]})
    kept = source.turn("cross_attention")
    kept.locator(".line.source button.edit").first.click()
    expect(kept.get_by_role("button", name="long, and the verbs move")).to_be_attached()
    assert kept.locator("html, [data-testid=stMain]").last.evaluate("node => node.scrollWidth - node.clientWidth") == 0


def test_on_paper_neither_rail_nor_player_covers_a_sheet(source: Source) -> None:
    kept = source.turn("cross_attention")
    kept.emulate_media(media="print")
    for part in kept.locator(".st-key-_rail, .st-key-_part_player, .st-key-_foot, .at-rail, .at-foot").all():
        expect(part).to_be_hidden()
    left = kept.locator("[data-testid=stMain], .at-bar").evaluate("node => node.getBoundingClientRect().left")
    kept.emulate_media(media="null")
    assert left == 0


TOUCH = """(canvas) => {
    const { right, bottom } = canvas.getBoundingClientRect();
    const place = { clientX: right - 60, clientY: bottom - 60, bubbles: true, composed: true };
    canvas.dispatchEvent(new PointerEvent("click", { ...place, pointerType: "touch" }));
}"""
"""A finger on the last row of a matrix."""


def test_the_player_says_the_step_on_a_phone(source: Source) -> None:
    source.tab.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    kept = source.turn("cross_attention")
    label = kept.locator(".viz-player .label").bounding_box()
    assert label and label["width"] > 30, label  # px; for screen readers alone it has one
    kept.locator("canvas.picture").evaluate(TOUCH)
    expect(kept.locator(".viz-tip")).to_contain_text("A later step")
    kept.get_by_role("group", name="Source").click()  # nothing of Streamlit's lies over it
    expect(kept.get_by_role("textbox", name="Source")).to_be_focused()
    expect(kept.locator(".viz-tip")).to_have_count(0)


SPOILT = {
    "crossing: «hidden» and «below»": '<p style="margin: 0">hidden</p><p style="margin: -12px 0 0">below</p>',
    "crossing: «leaning» and «label»": """<svg width="200" height="120">
        <g transform="translate(40 80) rotate(-40)"><text>leaning</text></g><text x="50" y="75">label</text></svg>""",
    "cut sideways: «much too long»": '<div style="width: 40px; overflow: hidden; white-space: nowrap">much too long</div>',
    "cut in height: «low»": '<div style="height: 10px; overflow: hidden; line-height: 24px">low</div>',
    "beside, and nothing says so: «far right»": '<div style="width: 40px; overflow: auto; white-space: nowrap">far right</div>',
    "covering: «one» and «two»": '<button>one</button><button style="margin-left: -12px">two</button>',
    "under «press»: «words»": '<span>words</span><button style="margin-left: -30px; width: 90px">press</button>',
    "beyond the window: Model": '<select aria-label="Model" style="position: fixed; right: -20px"></select>',
    "the page scrolls sideways": '<div style="width: 3000px">wide</div>',
}
SOUND = """<p style="line-height: 1; margin: 0">tight</p><p style="line-height: 1; margin: 0">lines</p>
    <svg width="300" height="120"><g transform="translate(40 80) rotate(-40)"><text>leaning</text></g>
      <g transform="translate(66 80) rotate(-40)"><text>beside</text></g></svg>
    <div style="width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis">shortened as it says</div>
    <div style="width: 60px; overflow: auto; white-space: nowrap" data-sideways>scrolls inside itself</div>
    <div style="position: absolute; width: 1px; height: 1px; overflow: hidden">for screen readers</div>"""


def test_a_fault_is_found_and_what_is_sound_is_none(tab: Page) -> None:
    for fault, spoilt in SPOILT.items():
        tab.set_content(spoilt)
        assert any(each.startswith(fault) for each in tab.evaluate(TEXT_BOXES)), fault
    tab.set_content(SOUND)
    assert tab.evaluate(TEXT_BOXES) == []
