"""Everything that is read is set in the app's own fonts: asked of the browser, which says what font each text is really set in."""

import re

import pytest
from playwright.sync_api import CDPSession, Error, Page, expect

from tests.e2e import bare
from tests.e2e.conftest import SIZE
from tests.e2e.driving import turn_to
from tests.e2e.test_sizes import REFLOW, TEXT_BOXES
from tests.e2e.test_talk_file import file  # noqa: F401 - a fixture

pytestmark = pytest.mark.e2e

UNREAD = {"script", "style", "head", "noscript", "math", "title"}
"""What nobody sees; `math` is what a formula tells a screen reader."""
OWN = re.compile(r"[\u0021-\u017f‘’“”„–—…·×÷√→−≤≥]")
"""Signs that the app's fonts have; others, such as Chinese, come from the system."""
TEXT = 3
STYLE = ["font-family", "font-weight", "font-style", "font-stretch", "font-variant", "font-feature-settings", "text-transform"]
"""What says in which font a letter is set: it is asked of one text in each style."""
GONE = "Could not find node with given id"
"""What the browser says of a text that is no longer there."""
WALKS = 5
HOVER = """() => {
  const plot = document.querySelector('.viz-plot .js-plotly-plot');
  Plotly.Fx.hover(plot, [{ curveNumber: plot.data.findIndex(({ hovertext }) => hovertext?.length), pointNumber: 0 }]);
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
    devtools.send("DOM.getDocument", {"depth": 0})
    snapshot = devtools.send("DOMSnapshot.captureSnapshot", {"computedStyles": STYLE})
    words = snapshot["strings"]
    wanted: dict[int, str] = {}  # element → its own text
    for at, document in enumerate(snapshot["documents"]):
        nodes, layout = document["nodes"], document["layout"]
        parents, names, drawn = nodes["parentIndex"], nodes["nodeName"], set(layout["nodeIndex"])
        styles = dict(zip(layout["nodeIndex"], layout["styles"], strict=True))
        texts: dict[int, str] = {}
        for node, kind in enumerate(nodes["nodeType"]):
            if kind == TEXT and node in drawn:
                texts[parents[node]] = texts.get(parents[node], "") + words[nodes["nodeValue"][node]]
        known: dict[tuple[int, ...], set[str]] = {}  # of a style, the letters that are asked for
        for node, text in texts.items():
            above = node
            while above >= 0 and words[names[above]].lower() not in UNREAD:
                above = parents[above]
            style = tuple(styles.get(node, (at, node)))
            if above < 0 and (letters := {*OWN.findall(text)} - known.get(style, set())) and text != "-":  # the title of a test
                known.setdefault(style, set()).update(letters)
                wanted[nodes["backendNodeId"][node]] = text
    ids = devtools.send("DOM.pushNodesByBackendIdsToFrontend", {"backendNodeIds": [*wanted]})["nodeIds"]
    found = []
    for node, text in zip(ids, wanted.values(), strict=True):
        fonts = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        others = {font["familyName"]: font["glyphCount"] for font in fonts if not font["isCustomFont"]}
        if sum(others.values()) > len(OWN.sub("", text)):
            found.append(f"{text.strip()[:40]!r} in {', '.join(others)}")
    return found


def test_a_letter_of_the_system_is_found_in_each_style_and_frame(tab: Page, font: str) -> None:
    own = f"<style>{font} * {{ font-family: 'Source Sans' }} .system, .system * {{ font-family: serif }}</style>"
    inside = f"{own}<p>framed</p><p class=system>framed too</p>".replace('"', "&quot;")
    tab.set_content(
        f'{own}<p>own 你</p><b class=system>other</b><svg class=system><text y=20>drawn</text></svg><iframe srcdoc="{inside}">'
    )
    tab.frame_locator("iframe").locator("p").last.wait_for()
    shadow = '<i style="font-family: serif">shadow</i>'
    tab.evaluate(f"document.querySelector('p').attachShadow({{ mode: 'open' }}).innerHTML = '{shadow}'")
    assert {text.split("'")[1] for text in system_letters(tab)} == {"shadow", "other", "drawn", "framed too"}


def test_a_file_fits_the_narrowest_and_has_the_letters_of_the_app(tab: Page, file: str) -> None:  # noqa: F811
    tab.emulate_media(reduced_motion="reduce")
    tab.goto(file)
    tab.keyboard.press("?")
    found = []
    for drawn in (".viz-attention-view canvas", ".figure .main-svg", ".bars"):
        expect(tab.locator(drawn).first).to_be_visible()
        tab.evaluate("document.fonts.ready.then(() => null)")
        assert not system_letters(tab)
        tab.keyboard.press("Escape")
        for width, height in (REFLOW, (SIZE["width"], SIZE["height"])):
            tab.set_viewport_size({"width": width, "height": height})
            bare.frame(tab)
            bare.frame(tab)  # a picture follows in the frame after the one in which it is told of its size
            found += [f"{drawn}, {width} × {height}: {fault}" for fault in tab.evaluate(TEXT_BOXES)]
        tab.keyboard.press("PageDown")
    assert not found, "\n".join(found)
    with tab.expect_popup() as opened:
        tab.get_by_role("button", name="Notes window").click()
    expect(opened.value.locator(".message")).to_be_attached()
    opened.value.evaluate("document.fonts.ready.then(() => null)")
    assert not system_letters(opened.value)
    tab.goto("about:blank")
    tab.goto(f"{file}#handout")
    expect(tab.locator("html")).to_have_attribute("data-ready", "")
    assert not system_letters(tab)


def test_letters_of_hovers_are_those_of_the_app(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/training?text=I+sleep.&show=schedule")
    kept.wait_for_function("document.querySelector('.viz-plot .js-plotly-plot')?.calcdata")
    kept.evaluate(HOVER)
    expect(kept.locator(".hoverlayer text").first).to_be_attached()
    assert not system_letters(kept)
