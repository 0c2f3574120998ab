"""From a phone to a large screen: nothing is cut or lies on another, no page scrolls sideways.

`text_boxes.js` looks at the boxes of all texts in HTML and SVG. In the light theme: the dark one
has other colours and the same layout. All pages at all sizes: test_every_page.py.
"""

from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.driving import open_at, settle, turn_to
from tests.e2e.test_talk_file import file  # noqa: F401 - a fixture

pytestmark = pytest.mark.e2e

TEXT_BOXES = (Path(__file__).parent / "text_boxes.js").read_text("utf-8")
PHONE, NARROW, REFLOW = (390, 844), (360, 740), (320, 568)
"""The last is a window of 1280 px enlarged to 400 %, as WCAG asks for."""
SIZES = ((1440, 900), (1024, 768), (768, 1024), PHONE, NARROW, REFLOW, (1280, 720))
VIEWS = (
    "embeddings?show=scaled", "embeddings?show=near", "embeddings?show=map", "positions?show=product", "qkv?kind=cross&role=v",
    "residual?show=norm", "residual?show=ffn&stack=decoder", "why?show=logit_attribution", "why?show=source_words",
    "why?show=rollout&text=Unbelievably+lazy+dogs+sleep.",
    "heads?show=norm_weighted", "decoding?case=non_autoregressive", "masked_attention?case=batch",
    "training?show=guided", "output?axis=logit", "tokens?text=我爱你", "embeddings?show=context",
    "training?show=gradient", "training?show=schedule",
    "cross_attention?cell=3-2&text=The+quick+brown+foxes+jumped+over+the+unbelievably+lazy+dogs+yesterday.",
)  # fmt: skip
"""Views beside the first of a page that draw another figure."""
BESIDE_CODE = (
    "why", "why?show=source_words", "training?show=gradient", "decoding?case=copying&text=Grzegorz+lives+in+Szczebrzeszyn.",
)  # fmt: skip
"""Views that have the longest titles, several figures in a row, a legend, and a sentence that may be wrong."""
STATES = (
    "output?predict=word", "cross_attention?lecture=on", "what_if?lecture=on", "output?lecture=on&step=2",
    "training?show=schedule&lecture=on",
    "cross_attention?talk=twelve-steps&at=8", "?talk=first-lesson&at=5",
    "?talk=first-lesson&at=12", "?talk=fifteen-exercises&at=1", "?talk=fifteen-exercises&at=15", "?open=cross", "?open=softmax",
    "?drawing=paper", "?lang=zh",
    "output?lang=zh&predict=word", "?lang=zh&talk=first-lesson&at=5",
)  # fmt: skip
"""What else takes room in the window."""
AT_REST = """() => new Promise((done) => {
  const fits = (chart) => {
    const drawn = chart.querySelector(".main-svg");
    return drawn && Math.abs(drawn.clientWidth - chart.scrollWidth) < 2;
  };
  let [before, same] = ["", 0];
  const look = () => {
    const main = document.querySelector("[data-testid=stMain]");
    const now = `${innerWidth} ${main.scrollWidth} ${main.scrollHeight}`;
    const drawn = [...document.querySelectorAll(".viz-plot .scroll")].every(fits);
    same = drawn && now === before ? same + 1 : 0;
    before = now;
    if (same < 4) return setTimeout(look, 40);
    done(true);
  };
  look();
})"""
"""Until every figure is drawn as wide as its place, and the page has not changed its size for four looks."""


def faults(page: Page, size: tuple[int, int]) -> list[str]:
    """What is wrong with the page in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(AT_REST)
    found: list[str] = page.evaluate(TEXT_BOXES)
    return [f"{size[0]} × {size[1]}: {fault}" for fault in found]


def test_the_start_fits_every_window(page: Page, server: str) -> None:
    open_at(page, server)
    assert not [fault for size in SIZES for fault in faults(page, size)]


def test_the_other_figures_fit_the_narrowest(kept: Page, server: str) -> None:
    found = []
    for view in VIEWS:
        turn_to(kept, f"{server}/{view}")
        found += [f"{view}, {fault}" for fault in faults(kept, REFLOW)]
    assert not found, "\n".join(found)


def test_talks_lessons_and_questions_fit_the_narrowest(page: Page, server: str) -> None:
    open_at(page, server)
    found = []
    for state in STATES:
        turn_to(page, f"{server}/{state}")
        found += [f"{state}, {fault}" for fault in faults(page, REFLOW)]
    assert not found, "\n".join(found)


def test_nothing_is_cut_beside_the_code(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_at(page, server)
    page.locator("[data-testid=stExpander] summary").first.click()
    settle(page)
    expect(page.locator(".st-key-_code")).to_contain_text("def states(")
    found = [fault for size in ((1366, 768), (1280, 720)) for fault in faults(page, size)]
    for view in BESIDE_CODE:
        turn_to(page, f"{server}/{view}")
        if not page.locator(".st-key-_code details[open]").count():
            page.locator(".st-key-_code summary").click()
            settle(page)
        expect(page.locator(".st-key-_code .source").first).to_be_visible()
        found += [f"{view}, {fault}" for fault in faults(page, (1280, 720))]
    assert not found, "\n".join(found)


def test_on_paper_neither_rail_nor_player_covers_a_sheet(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention")
    kept.emulate_media(media="print")
    for name in ("rail", "part_player", "foot"):
        expect(kept.locator(f".st-key-_{name}")).to_be_hidden()
    left = kept.locator("[data-testid=stMain]").evaluate("node => node.getBoundingClientRect().left")
    kept.emulate_media(media="null")
    assert left == 0


NAMED = """() => [...document.querySelectorAll("*")]
  .flatMap((host) => [...(host.shadowRoot?.querySelectorAll(".name:not(.lane)") ?? [])])
  .filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => {
    const { top } = node.getBoundingClientRect();
    const letters = document.createRange();
    letters.selectNodeContents(node);
    const { left, right } = letters.getBoundingClientRect();
    return { left, right, top: Math.round(top), words: node.textContent };
  })"""
APART = 4
"""px at least between the names of two columns."""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_of_columns_stand_apart_on_a_phone(kept: Page, server: str, language: str) -> None:
    turn_to(kept, f"{server}/?text=The+cat+sleeps.&lang={language}")
    for size in (PHONE, REFLOW, (768, 1024)):
        faults(kept, size)
        names = sorted(kept.evaluate(NAMED), key=lambda name: name["left"])
        assert len(names) > 4
        row = [name for name in names if name["top"] == names[0]["top"]]
        close = [(one["words"], two["words"]) for one, two in pairwise(row) if two["left"] - one["right"] < APART]
        assert not close, size


def test_a_file_fits_the_narrowest(tab: Page, file: str) -> None:  # noqa: F811
    tab.emulate_media(reduced_motion="reduce")
    tab.goto(file)
    found = []
    for drawn in (".viz-attention-view canvas", ".figure .main-svg", ".bars"):
        expect(tab.locator(drawn).first).to_be_visible()
        for key in ("L", "L"):  # out of lecture mode, and into it again
            tab.keyboard.press(key)
            for width, height in (NARROW, REFLOW):
                tab.set_viewport_size({"width": width, "height": height})
                bare.frame(tab)
                bare.frame(tab)  # a picture follows in the frame after the one in which it is told of its size
                found += [f"{drawn}, {width} × {height}: {fault}" for fault in tab.evaluate(TEXT_BOXES)]
        tab.keyboard.press("PageDown")
    assert not found, "\n".join(found)


def test_a_small_window_has_no_room_for_the_rail_after_a_large_one_either(kept: Page, server: str) -> None:
    kept.emulate_media(reduced_motion="reduce")
    turn_to(kept, f"{server}/cross_attention")
    assert not [fault for size in (REFLOW, (1280, 720), REFLOW) for fault in faults(kept, size)]


def test_the_lens_says_where_one_is_in_the_title_s_place_however_high_that_is(kept: Page, server: str) -> None:
    kept.set_viewport_size({"width": REFLOW[0], "height": REFLOW[1]})
    turn_to(kept, f"{server}/?open=cross")
    head, crumbs = kept.locator(".st-key-_head"), kept.locator(".crumbs")
    for height in ("12rem", ""):
        head.evaluate("(head, height) => { head.style.minHeight = height; }", height)
        kept.wait_for_timeout(400)  # it is measured again
        boxes = head.bounding_box(), crumbs.bounding_box()
        assert boxes[0] and boxes[1] and abs(boxes[0]["y"] - boxes[1]["y"]) < 6, height


TOUCH = """(canvas) => {
    const { right, bottom } = canvas.getBoundingClientRect();
    const place = { clientX: right - 60, clientY: bottom - 60, bubbles: true, composed: true };
    canvas.dispatchEvent(new PointerEvent("click", { ...place, pointerType: "touch" }));
}"""
"""A finger on the last row of a matrix."""


def test_the_player_says_the_step_on_a_phone(kept: Page, server: str) -> None:
    kept.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    turn_to(kept, f"{server}/cross_attention")
    label = kept.locator(".viz-player .label").bounding_box()
    assert label and label["width"] > 30, label  # px; for screen readers alone it has one
    kept.locator("canvas.picture").evaluate(TOUCH)
    expect(kept.locator(".viz-tip")).to_contain_text("A later step")
    kept.get_by_role("group", name="Source").click()  # nothing of Streamlit's lies over it
    expect(kept.get_by_role("textbox", name="Source")).to_be_focused()
    expect(kept.locator(".viz-tip")).to_have_count(0)


def test_tokens_that_nearly_fit_their_line_take_the_room_of_the_pencil_s_words(kept: Page, server: str) -> None:
    kept.set_viewport_size({"width": 1280, "height": 720})
    for text, has_words in (
        ("The cat is sleeping on the sofa.", True),
        ("Tom doesn't know where Mary put his keys.", False),
        ("The children are playing with their new dog in the garden.", False),
    ):
        turn_to(kept, f"{server}/cross_attention?text={quote(text)}")
        source = kept.locator(".line.source")
        expect(source.locator(".edit i")).to_be_visible(visible=has_words)
        assert source.locator(".row").evaluate("row => row.scrollWidth <= row.clientWidth"), text


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


@pytest.mark.parametrize("fault", SPOILT)
def test_a_fault_is_found(tab: Page, fault: str) -> None:
    tab.set_content(SPOILT[fault])
    found = tab.evaluate(TEXT_BOXES)
    assert [each for each in found if each.startswith(fault)], found


def test_what_is_sound_is_no_fault(tab: Page) -> None:
    tab.set_content(SOUND)
    assert tab.evaluate(TEXT_BOXES) == []
