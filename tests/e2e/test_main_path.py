"""What a lecturer does, in a real browser: type a sentence, step to the end, reload, share the link."""

import re
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import follows, go_to, open_at, query, settle, step_label, turn_to

pytestmark = pytest.mark.e2e


def test_type_go_on_step_reload(page: Page, server: str) -> None:
    """The walk through all pages is that of test_every_page.py."""
    open_at(page, server)
    page.keyboard.press("/")
    expect(page.get_by_role("textbox", name="Type an English sentence")).to_be_focused()  # the large line, where one begins
    page.keyboard.press("Escape")
    page.get_by_role("group", name="Source").click()
    box = page.get_by_role("textbox", name="Source")
    box.fill("Where is the train station?")
    box.press("Enter")
    expect(page.get_by_role("group", name="Source")).to_contain_text("station")
    settle(page)
    go_to(page, "cross_attention")
    assert query(page)["text"] == "Where is the train station?"
    first, last = step_label(page)
    assert first == 1
    page.locator("[data-testid=stMain]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-_page")).to_be_focused()
    for expected in range(2, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text(f"step {expected} of {last}")).to_be_visible()
    follows(page, step=str(last))
    page.reload()
    settle(page)
    assert step_label(page) == (last, last)
    expect(page.get_by_role("group", name="Source")).to_contain_text("station")


CLOSE_AND_OPEN = """() => {
    const press = (node, key) => node.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
    let field = document.activeElement;
    while (field.shadowRoot) field = field.shadowRoot.activeElement;
    press(field, "Escape");
    press(document.body, "/");
}"""


def test_a_sentence_is_typed_where_it_stands_and_nothing_typed_is_lost(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/output?text=I+love+you.&step=2")
    box, source = kept.get_by_role("textbox", name="Source"), kept.get_by_role("group", name="Source")
    kept.keyboard.press("/")
    expect(box).to_be_focused()
    expect(box).to_have_value("I love you.")
    kept.evaluate(CLOSE_AND_OPEN)  # at once: a timer of the first key must not take the focus from the second
    kept.wait_for_timeout(50)
    expect(box).to_be_focused()
    kept.keyboard.press("Escape")
    expect(box).to_be_hidden()
    kept.keyboard.press("/")
    kept.keyboard.type("Where is the cat?")
    kept.mouse.click(700, 400)  # on a bar, which it does not press
    follows(kept, text="Where is the cat?")
    assert "cell" not in query(kept)
    expect(source).to_contain_text("cat")
    assert step_label(kept)[0] == 1
    kept.keyboard.press("ArrowRight")
    follows(kept, step="2")  # the keys are the steps' again
    source.click()
    kept.get_by_role("button", name="I love you.").click()
    follows(kept, text="I love you.")
    kept.get_by_role("button", name="your own").click()
    expect(kept.get_by_role("textbox", name="Target")).to_have_value("Ich liebe dich.")  # the model's, to change a word of it
    kept.keyboard.press("Enter")
    settle(kept)
    assert "target" not in query(kept), "nothing was changed"
    kept.get_by_role("button", name="your own").click()
    kept.keyboard.type("Ich mag dich.")
    kept.keyboard.press("Enter")
    follows(kept, target="Ich mag dich.")
    kept.get_by_role("combobox", name="Model").select_option("en-de-small")
    follows(kept, model="en-de-small", target="Ich mag dich.")
    kept.get_by_role("button", name="the model's own").click()
    kept.wait_for_function("!new URLSearchParams(location.search).has('target')")
    kept.get_by_role("combobox", name="Model").click(trial=True)  # nothing lies over it, whatever the model
    kept.keyboard.press("/")
    kept.keyboard.press("Backspace")
    kept.keyboard.press("Enter")
    expect(kept.get_by_role("heading", name="Type a sentence")).to_be_visible()
    expect(box).to_be_focused()
    box.blur()
    kept.keyboard.press("/")  # there is no player now
    expect(box).to_be_focused()
    go_to(kept, "positions")
    expect(box).to_be_focused()
    kept.keyboard.type("I love you.")
    kept.keyboard.press("Enter")
    follows(kept, text="I love you.")


def test_operations_cells_and_code_of_a_step_are_a_click_away(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?text=I+love+you.&stage=scores")
    inside = kept.get_by_role("toolbar", name="Inside a step")
    inside.get_by_role("button", name="÷ √dₖ").click()
    follows(kept, stage="scaled")
    inside.get_by_role("button", name="Next operation").click()
    expect(inside.get_by_role("button", name="softmax")).to_have_attribute("aria-pressed", "true")
    expect(inside).not_to_contain_text("mask")
    kept.get_by_role("combobox", name="Key", exact=True).select_option(index=4)
    follows(kept, stage=None, cell="1-5")
    kept.locator(".st-key-_below").scroll_into_view_if_needed()
    expect(kept.get_by_text("of its attention to «⟨/s⟩»: e to the power of its score")).to_be_visible()
    kept.reload()
    settle(kept)
    expect(kept.locator(".reading")).to_contain_text("«⟨/s⟩»")

    drawer, figure = kept.locator(".st-key-_code"), kept.locator(".viz-attention-view")
    before = figure.bounding_box()
    kept.keyboard.press("c")
    expect(drawer.locator(".highlighted").first).to_contain_text("softmax")
    settle(kept)
    beside, right = figure.bounding_box(), drawer.bounding_box()
    assert before and beside and right
    assert beside["x"] + beside["width"] <= right["x"] < before["x"] + before["width"]
    kept.get_by_role("group", name="Steps").get_by_role("button").nth(2).click()
    follows(kept, step="3")
    expect(drawer.locator(".highlighted").first).to_be_in_viewport()
    kept.keyboard.press("Escape")
    expect(drawer.locator(".highlighted")).to_have_count(0)
    settle(kept)
    after = figure.bounding_box()
    assert after and (after["x"], after["width"]) == (before["x"], before["width"])
    go_to(kept, "output")
    expect(inside).to_be_hidden()


def test_a_link_restores_the_view_and_back_returns(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?text={quote_plus('The cat sleeps.')}&step=2&layer=1&head=3")
    assert step_label(kept)[0] == 2
    expect(kept.get_by_role("group", name="Source")).to_contain_text("sleep")
    expect(kept.get_by_text("Layer 1, head 3").first).to_be_visible()
    kept.keyboard.press("ArrowRight")
    follows(kept, step="3")
    kept.keyboard.press("ArrowDown")
    follows(kept, layer="2")
    kept.locator(".viz-rail a[href$='/tokens']").click()
    kept.wait_for_url(re.compile("/tokens"))
    settle(kept)
    kept.go_back()
    kept.wait_for_url(re.compile("/cross_attention"))
    follows(kept, step="3", layer="2")
    kept.go_back()
    kept.wait_for_function("!new URLSearchParams(location.search).has('layer')")
    settle(kept)
    assert step_label(kept)[0] == 3
    kept.go_back()
    follows(kept, step="2")
    expect(kept.get_by_text(re.compile("step 2 of"))).to_be_visible()
    expect(kept.get_by_role("group", name="Source")).to_contain_text("sleep")


def test_a_value_out_of_range_is_told(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?text=I+love+you.&step=99&layer=7&head=banana")
    expect(kept.get_by_text("step: 99 is out of range here")).to_be_visible()
    expect(kept.get_by_text("layer: 7 is out of range here")).to_be_visible()
    expect(kept.get_by_text("“head: banana”, which does not exist")).to_be_visible()


def test_after_a_click_on_a_button_the_keys_step_and_on_a_slider_they_move_it(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/output?text=The+cat+sleeps.&step=1")
    written = kept.locator(".viz-top-bar .row").nth(1).get_by_role("button")
    written.nth(2).click()
    follows(kept, step="2")
    kept.keyboard.press("ArrowRight")
    follows(kept, step="3")
    kept.get_by_role("slider").first.click()
    settle(kept)
    clicked = query(kept)
    kept.keyboard.press("ArrowRight")
    kept.wait_for_function("was => new URLSearchParams(location.search).get('temperature') !== was", arg=clicked["temperature"])
    assert clicked["temperature"] < query(kept)["temperature"] and query(kept)["step"] == "3"
    written.nth(1).click()
    kept.keyboard.press("ArrowRight")
    follows(kept, step="2")


def test_try_this_sets_the_view_and_goes_up_to_the_figure(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/self_attention?text=I+love+you.")
    button = kept.get_by_role("button", name="Does «it» find its noun?")
    button.scroll_into_view_if_needed()
    button.click()
    follows(kept, layer="3")
    kept.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop < 50")
    turn_to(kept, f"{server}/tokens")  # without the question


def test_what_one_takes_along_opens_alone_and_steps(kept: Page, server: str, tmp_path: Path) -> None:
    turn_to(kept, f"{server}/cross_attention?text=I+love+you.%3C%2Fscript%3E")
    kept.get_by_role("button", name=re.compile("Downloads")).click()
    with kept.expect_download() as downloading:
        kept.get_by_role("button", name=re.compile("HTML")).click()
    kept.keyboard.press("Escape")
    path = tmp_path / "view.html"
    downloading.value.save_as(path)
    alone = kept.context.browser.new_page(offline=True) if kept.context.browser else pytest.fail("no browser")
    thrown: list[str] = []
    alone.on("pageerror", lambda error: thrown.append(str(error)))
    alone.goto(path.as_uri())
    expect(alone.get_by_text(re.compile("step 1 of"))).to_be_visible()
    alone.keyboard.press("ArrowRight")
    expect(alone.get_by_text(re.compile("step 2 of"))).to_be_visible()
    expect(alone.locator(".viz-attention-view canvas").first).to_be_visible()
    assert not thrown
    alone.close()


def test_the_keyboard_goes_through_the_heads_of_a_figure(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/heads?text=I+love+you.&layer=2&head=3")
    figure = kept.locator(".viz-head-roles canvas")
    figure.focus()
    figure.press("ArrowRight")
    kept.wait_for_url(re.compile("head=4"))
    settle(kept)
    assert query(kept)["layer"] == "2"
    expect(figure).to_be_focused()
    expect(kept.locator(".viz-head-roles .reading")).to_contain_text("head 4")
