"""Keys of an input method, as for Chinese or Japanese, reach no field and no shortcut: Enter there commits a candidate.

Chromium composes as with such a keyboard. Safari sends the key that ends a composition after its end, with the code 229.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import Frames, open_at, settle
from tests.e2e.test_talk_file import file  # noqa: F401 - a fixture

pytestmark = pytest.mark.e2e

COMPOSED = "拼音"
PAUSE = 300
"""ms in which a page would have told the server."""
PRESS = """([key, keyCode, isComposing]) => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  at.dispatchEvent(new KeyboardEvent("keydown", { key, keyCode, isComposing, bubbles: true, composed: true, cancelable: true }));
}"""
HELD = "field => field.getRootNode().activeElement === field ? field.value : ''"
Find = Callable[[Page], Locator]


def typed_in(side: str) -> Find:
    def find(page: Page) -> Locator:
        page.locator(f".viz-top-bar .line.{side} .edit").first.click()
        return page.locator(f".viz-top-bar .line.{side} input")

    return find


def named(name: str) -> Find:
    return lambda page: page.get_by_label(name, exact=True).and_(page.locator("input, textarea"))


def of_the_recorder(name: str) -> Find:
    def find(page: Page) -> Locator:
        page.locator("[data-testid=stPopoverButton]").last.click()
        page.get_by_role("tab", name="Record a talk").click()
        settle(page)
        return named(name)(page)

    return find


def behind_more(page: Page) -> Locator:
    page.get_by_role("button", name="Show or hide the other edits").click()
    return named("A token to write at this step, whatever the model predicts")(page)


FIELDS: dict[str, tuple[str, Find]] = {
    "where one begins": ("", named("Type an English sentence")),
    "source": ("cross_attention", typed_in("source")),
    "target": ("cross_attention", typed_in("target")),
    "an exercise": ("?talk=fifteen-exercises&at=1", named("Your answer")),
    "an edit": ("what_if", behind_more),
    "a line of Streamlit's": ("compare", named("The other sentence")),
    "a list of Streamlit's": ("why?show=logit_attribution", named("Compare with")),
    "the recorder": ("cross_attention", of_the_recorder("Title of this view")),
}


def test_no_field_takes_a_key_of_an_input_method(page: Page, server: str, frames: Frames) -> None:
    keyboard = page.context.new_cdp_session(page)
    wrong = []
    for name, (address, find) in FIELDS.items():
        open_at(page, f"{server}/{address}")
        field = find(page)
        field.focus()
        settle(page)
        before, (sent, _) = page.url, frames
        sent.clear()
        keyboard.send("Input.imeSetComposition", {"text": COMPOSED, "selectionStart": 2, "selectionEnd": 2})
        for key in ("Enter", "Escape"):
            page.keyboard.press(key)
            page.evaluate(PRESS, [key, 229, False])
        page.wait_for_timeout(PAUSE)
        left = field.evaluate(HELD) if field.count() else ""
        if not left.endswith(COMPOSED) or sent or page.url != before:
            wrong.append(f"{name}: {left!r}, {len(sent)} messages, {page.url}")
    assert not wrong, "\n".join(wrong)


def test_a_line_is_sent_once_nothing_composes_any_more(page: Page, server: str) -> None:
    open_at(page, f"{server}/cross_attention?model=zh-en")
    field = typed_in("source")(page)
    keyboard = page.context.new_cdp_session(page)
    keyboard.send("Input.imeSetComposition", {"text": COMPOSED, "selectionStart": 2, "selectionEnd": 2})
    page.keyboard.press("Enter")
    keyboard.send("Input.insertText", {"text": "你好"})
    page.keyboard.press("Enter")
    expect(page.locator(".viz-top-bar .row").first).to_contain_text("你好")
    expect(field).to_be_hidden()


def test_no_shortcut_of_a_file_takes_a_key_of_an_input_method(tab: Page, file: str) -> None:  # noqa: F811
    tab.goto(file)
    title = tab.locator("h1")
    expect(tab.locator(".viz-attention-view canvas").first).to_be_visible()
    before = tab.evaluate("JSON.stringify(globalThis[Symbol.for('viz_core.store')].view)")
    for key in ("l", "b", "n", "ArrowRight", "ArrowDown", "PageDown", "Enter", "?", " ", "Escape", "5"):
        tab.evaluate(PRESS, [key, 0, True])
        tab.evaluate(PRESS, [key, 229, False])
    assert tab.evaluate("JSON.stringify(globalThis[Symbol.for('viz_core.store')].view)") == before
    expect(title).to_have_text("Who <b>looks</b>?")
    tab.evaluate(PRESS, ["PageDown", 34, False])
    expect(title).to_have_text("Waves")


def test_no_shortcut_takes_a_key_of_an_input_method(page: Page, server: str) -> None:
    open_at(page, f"{server}/cross_attention?step=2")
    page.locator("h1").click()
    before = page.evaluate("JSON.stringify(globalThis[Symbol.for('viz_core.store')].view)")
    for key in ("l", "b", "ArrowRight", "PageDown", "?", " ", "Escape", "5"):
        page.evaluate(PRESS, [key, 0, True])
        page.evaluate(PRESS, [key, 229, False])
    settle(page)
    assert page.evaluate("JSON.stringify(globalThis[Symbol.for('viz_core.store')].view)") == before
    page.evaluate(PRESS, ["ArrowRight", 39, False])
    expect(page.locator(".viz-player .label")).to_contain_text("3")
