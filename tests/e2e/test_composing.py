"""Keys of an input method, as for Chinese or Japanese, reach no field and no shortcut: Enter there commits a candidate.

Chromium composes as with such a keyboard. Safari sends the key that ends a composition after its end, with the code 229. That every
listener for keys goes through the same guard is seen in tests/browser/test_composing.py.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Frames, follows, open_at, settle, turn_to

pytestmark = pytest.mark.e2e

COMPOSED = "拼音"
PAUSE = 300
"""ms in which a page would have told the server."""
PRESS = """([key, keyCode, isComposing]) => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  at.dispatchEvent(new KeyboardEvent("keydown", { key, keyCode, isComposing, bubbles: true, composed: true, cancelable: true }));
}"""
VIEW = "JSON.stringify(globalThis[Symbol.for('viz_core.store')].view)"


def test_keys_of_an_input_method_reach_no_field_and_no_shortcut(page: Page, server: str, frames: Frames) -> None:
    keyboard = page.context.new_cdp_session(page)
    open_at(page, f"{server}/cross_attention?model=zh-en&step=2")
    page.locator("h1").click()
    before = page.evaluate(VIEW)
    for key in ("l", "b", "ArrowRight", "PageDown", "?", " ", "Escape", "5"):
        page.evaluate(PRESS, [key, 0, True])
        page.evaluate(PRESS, [key, 229, False])
    settle(page)
    assert page.evaluate(VIEW) == before
    page.evaluate(PRESS, ["ArrowRight", 39, False])
    follows(page, step="3")

    line, ours = (
        page.get_by_label("The other sentence", exact=True).and_(page.locator("input, textarea")),
        page.locator(".source input"),
    )
    for address, field in (("compare?model=zh-en", line), ("cross_attention?model=zh-en", ours)):
        turn_to(page, f"{server}/{address}")
        if field is ours:
            page.locator(".viz-top-bar .line.source .edit").first.click()
        field.focus()
        settle(page)
        url = page.url
        frames[0].clear()
        keyboard.send("Input.imeSetComposition", {"text": COMPOSED, "selectionStart": 2, "selectionEnd": 2})
        for key in ("Enter", "Escape"):
            page.keyboard.press(key)
            page.evaluate(PRESS, [key, 229, False])
        page.wait_for_timeout(PAUSE)
        expect(field).to_be_focused()
        assert field.input_value().endswith(COMPOSED)
        assert not frames[0] and page.url == url
    keyboard.send("Input.insertText", {"text": "你好"})
    page.keyboard.press("Enter")
    expect(page.locator(".viz-top-bar .row").first).to_contain_text("你好")
    expect(ours).to_be_hidden()
