"""Everything that is read is set in the app's own fonts: asked of the browser, which says what font each text is really set in."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Error, Page, expect

from pages.heads.bertviz import head_view_html, model_view_html
from tests.e2e.driving import open_at
from tests.e2e.test_bertviz import Show, explained, seen, show  # noqa: F401 - fixtures
from tests.e2e.test_notes_window import notes_of
from tests.e2e.test_talk_file import file  # noqa: F401 - fixtures

pytestmark = pytest.mark.e2e

UNREAD = {"script", "style", "head", "noscript", "math", "title"}
"""What nobody sees; `math` is what a formula tells a screen reader."""
OWN = re.compile(r"[\u0021-\u017f‘’“”„–—…·×÷√→−≤≥]")
"""Signs that the app's fonts have; others, such as Chinese, come from the system."""
GONE = "Could not find node with given id"
"""What the browser says of a text that is no longer there."""
WALKS = 5
HOVER = """() => {
  const plot = document.querySelector('.viz-plot .js-plotly-plot');
  Plotly.Fx.hover(plot, [{ curveNumber: plot.data.findIndex(({ hovertemplate }) => hovertemplate), pointNumber: 0 }]);
}"""


def system_letters(page: Page) -> list[str]:
    """Texts of the page, its parts and its frames whose letters are the system's although the app's fonts have them. Where a text
    goes away while the page is walked, what has taken its place is to be seen, too: it is walked once more, from the beginning.
    """
    devtools = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        devtools.send(f"{domain}.enable")
    try:
        for _ in range(WALKS - 1):
            try:
                return _walked(devtools)
            except Error as error:
                if GONE not in str(error):
                    raise
        return _walked(devtools)
    finally:
        devtools.detach()


def _walked(devtools: CDPSession) -> list[str]:
    found: list[str] = []

    def visit(node: dict[str, Any]) -> None:
        if node["nodeName"].lower() in UNREAD:
            return
        inner = [*node.get("children", []), *node.get("shadowRoots", []), *filter(None, [node.get("contentDocument")])]
        text = "".join(each["nodeValue"] for each in inner if each["nodeType"] == 3)
        if OWN.search(text) and text != "-":  # the title of a test
            fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]
            others = {font["familyName"]: font["glyphCount"] for font in fonts if not font["isCustomFont"]}
            if sum(others.values()) > len(OWN.sub("", text)):
                found.append(f"{text.strip()[:40]!r} in {', '.join(others)}")
        for each in inner:
            visit(each)

    visit(devtools.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"])
    return found


def test_letters_of_bertviz_need_nothing_of_the_page_around_it(show: Show, seen: Any, tab: Page) -> None:  # noqa: F811
    for view in (head_view_html, model_view_html):
        inside = show(view(seen))
        inside.locator("html").evaluate("() => document.fonts.ready.then(() => null)")
        assert not system_letters(tab)


def test_letters_of_a_file_are_those_of_the_app(tab: Page, file: str) -> None:  # noqa: F811
    tab.goto(file)
    tab.keyboard.press("?")
    for drawn in (".viz-attention-view canvas", ".figure .main-svg", ".bars"):
        expect(tab.locator(drawn).first).to_be_visible()
        tab.evaluate("document.fonts.ready.then(() => null)")
        assert not system_letters(tab)
        assert tab.evaluate("document.fonts.check('18px \"Source Sans\"')")
        tab.keyboard.press("Escape")
        tab.keyboard.press("PageDown")
    with tab.expect_popup() as opened:
        tab.get_by_role("button", name="Notes window").click()
    expect(opened.value.locator(".message")).to_be_attached()
    opened.value.evaluate("document.fonts.ready.then(() => null)")
    assert not system_letters(opened.value)
    tab.goto("about:blank")
    tab.goto(f"{file}#handout")
    expect(tab.locator("html")).to_have_attribute("data-ready", "")
    assert not system_letters(tab)


def test_letters_of_the_notes_window_and_of_hovers_are_those_of_the_app(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=twelve-steps&at=10&lecture=on")
    with notes_of(page) as other:
        other.evaluate("document.fonts.ready.then(() => null)")
        assert not system_letters(other)
    open_at(page, f"{server}/decoding?text=I+sleep.&case=sampling&first=cut")
    page.wait_for_function("document.querySelector('.viz-plot .js-plotly-plot')?.calcdata")
    page.evaluate(HOVER)
    expect(page.locator(".hoverlayer text").first).to_be_attached()
    assert not system_letters(page)
