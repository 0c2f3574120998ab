"""Everyone can use it without eyes and without a mouse: axe-core finds nothing, figures have words, focus is seen.

How that is found out, and what opens beside the pages, which are walked through by test_every_page.py.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SIZE
from tests.e2e.driving import Source, settle
from tests.e2e.test_sizes import REFLOW, faults

pytestmark = pytest.mark.e2e

HERE = Path(__file__).parent
AXE = HERE.parents[1] / "node_modules" / "axe-core" / "axe.min.js"
TEXT = "?text=The+cat+sleeps."
PLACES = (
    f"{TEXT}&open=cross&cell=2-2", "why?predict=word", "cross_attention?lecture=on", "?talk=first-lesson&at=12",
    "cross_attention?talk=twelve-steps&at=8", "?talk=fifteen-exercises&at=15", "?lang=zh&talk=first-lesson&at=5",
)  # fmt: skip
"""What else takes room: an opened block, a question, a lecture, a card, a talk, exercises, a lesson."""
OF_COLOURS = ("color-contrast", "link-in-text-block")  # all others find the same in either theme

RUN = """async ({ within, ...options }) => {
  const { violations } = await axe.run(within ?? document, { resultTypes: ["violations"], ...options });
  return violations.flatMap(({ impact, id, nodes }) =>
    nodes.map(({ target, html }) => `${impact}: ${id} at ${target.flat().join(" ")}: ${html.slice(0, 160)}`));
}"""

FOCUSED = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === document.body) return null;
  const framed = (node) => {
    const { outlineStyle, outlineWidth } = node instanceof Element ? getComputedStyle(node) : {};
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  };
  const name = at.getAttribute("aria-label") ?? at.textContent.slice(0, 40);
  const seen = framed(at) || framed(at.parentNode) // a field is framed as a whole
    || at.closest(".list"); // the output page's list for those who do not see: its bars light up instead
  return [Boolean(seen), `${at.localName} ${at.getAttribute("class") ?? ""} ${name}`];
}"""

MOVING = """() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])]);
  const longest = (times) => Math.max(...times.split(",").map(parseFloat));
  return all(document).filter((node) => {
    const style = getComputedStyle(node);
    return longest(style.transitionDuration) > 0.01 || longest(style.animationDuration) > 0.01 || style.scrollBehavior === "smooth";
  }).map((node) => `${node.localName}.${node.getAttribute("class") ?? ""}`);
}"""


def findings(page: Page, *rules: str, **options: str) -> list[str]:
    """What axe-core finds wrong with what is now on the screen; by these rules alone, or by all; of all, or `within` an element."""
    assert AXE.exists(), "axe-core is not installed: run `npm ci` in tests/e2e, or bash tests/run"
    if not page.evaluate("typeof axe === 'object'"):
        page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(RUN, options | ({"runOnly": rules} if rules else {}))
    return found


def unseen_stops(page: Page, least: int) -> list[str]:
    """Goes with Tab from where the focus is to the end of the page, so many stops at least: those at which it cannot be seen."""
    unseen, stops = [], 0
    for _ in range(150):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None:
            break
        stops += 1
        if not at[0]:
            unseen.append(f"the focus is not seen: {at[1]}")
    else:
        pytest.fail("Tab does not come to an end")
    idle = page.locator(".viz-top-bar .choice button:disabled").count()  # of layer and head, where they choose nothing
    assert stops + idle >= least
    return unseen


def unnamed_figures(page: Page) -> list[str]:
    """The figures of plotly whose name says nothing."""
    expect(page.locator(".js-plotly-plot:not([role])")).to_have_count(0)
    names = page.locator(".js-plotly-plot").evaluate_all("plots => plots.map((plot) => plot.getAttribute('aria-label'))")
    return [f"the name of a figure: {label!r}" for label in names if len(label) < 20 or re.search(r"[<>]|undefined|nan", label)]


def moving(page: Page) -> list[str]:
    """What moves although one has asked for less of that."""
    return [f"moves: {node}" for node in page.evaluate(MOVING)]


def told(found: dict[str, list[str]]) -> str:
    """A line for each fault and its place."""
    return "\n".join(f"{place}: {fault}" for place, faults in found.items() for fault in faults)


def test_what_opens_beside_the_pages_fits_is_sound_and_does_not_move_unasked(source: Source) -> None:
    found: dict[str, list[str]] = {}
    for place in PLACES:
        kept = source.turn(place)
        if "cell=" in place:
            kept.keyboard.press("c")
            settle(kept)
        found[place] = findings(kept) + moving(kept) + faults(kept, REFLOW)
        kept.set_viewport_size(SIZE)
    source.turn(f"cross_attention{TEXT}")
    for button in kept.locator("[data-testid=stPopoverButton]").all():
        button.click()
        settle(kept)
        unnamed = kept.locator("[data-testid=stFileUploaderDropzone][role=presentation]")
        expect(unnamed).to_have_count(0)  # it is named a little later
        found[button.text_content() or "a menu"] = findings(kept)
        kept.keyboard.press("Escape")
    assert not any(found.values()), told(found)
