"""The last softmax in a real browser: right at once, and nothing typed is ever markup."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.bare import frame
from tests.e2e.driving import follows, turn_to
from viz_core import explain
from viz_core.analysis.next_token import vocabulary_label
from viz_core.browser.output_payload import next_token_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent

pytestmark = pytest.mark.e2e
Mount = Callable[..., Explanation]


@pytest.fixture
def mount(tab: Page, shipped: Checkpoint) -> Mount:
    """Shows a sentence."""

    def mounted(target: str | None = None, *, still: bool = False, width: int = 930, **view: object) -> Explanation:
        explanation = explain(shipped, "The cat is sleeping on the sofa.", target)
        payload = next_token_payload(explanation, shipped.tokenizer)
        bare.mount(tab, "next_token", payload, explanation, view, page="output", width=width, still=still)
        return explanation

    return mounted


def labels(tab: Page) -> list[str]:
    """The rows on display, from the top."""
    found: list[str] = tab.evaluate(
        """() => [...document.querySelectorAll(".bars .row:not(.going, .rest)")]
            .sort((one, other) => place(one) - place(other)).map((row) => row.querySelectorAll("text")[1].textContent);
            function place(row) { return Number(row.getAttribute("transform").match(/ ([\\d.]+)\\)/)[1]); }"""
    )
    return found


def test_both_rows_of_bars_spell_each_token_alike(tab: Page, mount: Mount, shipped: Checkpoint) -> None:
    explanation = mount("Die Katze miaute.")
    names = tab.locator(".steps g g text:last-of-type").all_text_contents()
    assert names == [vocabulary_label(shipped.tokenizer, token.id) for token in explanation.output]
    assert any(name.startswith("·") for name in names)


def test_a_step_shows_the_right_bars_in_the_next_frame_and_they_come_to_rest(tab: Page, mount: Mount) -> None:
    explanation = mount()
    tab.evaluate("window.moved = 0; addEventListener('transitionrun', () => { window.moved += 1; }, true)")
    for t in (1, 2, 1):
        tab.keyboard.press("ArrowRight" if t > tab.evaluate("store.view.step") else "ArrowLeft")
        frame(tab)
        assert [label.lstrip("·") for label in labels(tab)] == [token for token, _ in explanation.steps[t].top(10)]
        shown = tab.locator(".bars .row:not(.going) text:nth-of-type(3)").all_text_contents()
        assert percent(explanation.steps[t].top(1)[0][1]) in shown
    assert tab.evaluate("moved") > 0
    tab.wait_for_function("document.getAnimations().length === 0")
    expect(tab.locator(".bars .row:not(.rest)")).to_have_count(10)
    tab.evaluate("() => { store.theme = { ...store.theme, still: true }; store.repaint(); }")
    tab.keyboard.press("ArrowRight")
    frame(tab)
    assert tab.evaluate("document.getAnimations().length") == 0


def test_the_slider_is_for_the_keyboard_and_finds_1(tab: Page, mount: Mount) -> None:
    mount()
    slider = tab.get_by_role("slider", name="Temperature")
    slider.focus()
    seen = []
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight"):
        tab.keyboard.press(key)
        seen.append(tab.evaluate("store.view.temperature"))
    assert seen == [0.89, 1, 1.1, 1.3]
    assert tab.evaluate("store.view.step") == 0
    frame(tab)
    assert slider.get_attribute("aria-valuetext") == "temperature 1.3"
    expect(tab.locator(".reading")).to_contain_text("Entropy at T = 1.3 (derived)")
    slider.fill("2")  # dragged to beside the mark
    frame(tab)
    assert tab.evaluate("store.view.temperature") == 1
    expect(tab.locator(".reading")).to_contain_text("Entropy: ")


def test_a_click_and_the_list_pick_a_token(tab: Page, mount: Mount) -> None:
    mount(step=2)
    box = tab.locator(".bars").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + 400, box["y"] + 20 + 23 * 3 + 10)  # below the heading of the columns
    assert tab.evaluate("store.view.cell") == [2, 3]
    tab.mouse.move(5, 700)
    button = tab.get_by_role("list", name=re.compile("most probable")).get_by_role("button").nth(4)
    button.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("store.view.cell") == [2, 4]
    box = tab.locator(".steps").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + box["width"] - 20, box["y"] + 80)
    assert tab.evaluate("store.view.step") == 7


def test_the_page_follows_temperature_and_pick(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/output?text=I+love+you.&step=2")
    kept.get_by_role("slider", name="Temperature").focus()
    for _ in range(6):
        kept.keyboard.press("ArrowLeft")
    follows(kept, temperature="0.5")
    below = kept.locator(".st-key-_below")
    below.scroll_into_view_if_needed()
    expect(kept.get_by_text(re.compile("At .*derived"))).to_be_visible()
    kept.locator(".viz-next-token .bars").scroll_into_view_if_needed()
    box = kept.locator(".viz-next-token .bars").bounding_box()
    assert box is not None
    kept.mouse.click(box["x"] + 300, box["y"] + 20 + 23 * 2 + 10)
    follows(kept, cell="2-3")
    picked = kept.locator(".viz-next-token .list button[aria-pressed=true]")
    expect(picked).to_contain_text("3. ")
    token = re.search("«(.*)»", picked.text_content() or "")
    assert token
    below.scroll_into_view_if_needed()
    expect(kept.get_by_text(f"The logit of «{token[1]}»")).to_be_visible()
