"""The overview in a real browser: what is drawn is the trace, steps are lossless, blocks open, nothing typed is ever markup."""

import re
import xml.etree.ElementTree as ET
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.bare import FRAME
from tests.e2e.conftest import Overview
from tests.e2e.driving import follows, turn_to
from viz_core import explain
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.figures.palette import DARK
from viz_core.texts import texts
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
HOSTILE = "Die <img src=x onerror=document.title='owned'> Katze </script>"

# Each ribbon as [query, key, weight by its thickness, whether it leaves its key's row and enters its query's row].
RIBBONS = """(kind) => [...document.querySelectorAll(`.ribbons.${kind} path`)].map((path) => {
  const [query, key] = [+path.dataset.query, +path.dataset.key], n = path.getAttribute("d").match(/-?[\\d.]+/g).map(Number);
  const height = document.querySelector("svg.rows").viewBox.baseVal.height;
  const pitch = height / ROWS, inside = (y, row) => y > row * pitch - 0.2 && y < (row + 1) * pitch + 0.2;
  const placed = inside((n[1] + n.at(-1)) / 2, key) && inside(n[7], query) && inside(n[8], query);
  return [query, key, (n[8] - n[7]) / (pitch - 3), placed];
})"""


def press(tab: Page, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)
    tab.evaluate(FRAME)


def check_ribbons(tab: Page, explanation: Explanation, step: int, layer: int, head: int) -> None:
    kinds: tuple[Kind, ...] = ("self", "masked", "cross")
    tab.evaluate("rows => { window.ROWS = rows; }", max(len(explanation.source), len(explanation.target)))
    for kind in kinds:
        weights = explanation.trace.attention(kind, layer).weights[head]
        drawn = tab.evaluate(RIBBONS, kind)
        rows = len(explanation.source) if kind == "self" else step + 1
        assert {query for query, *_ in drawn} == set(range(rows))
        assert all(placed for *_, placed in drawn)
        for query, key, thickness, _ in drawn:
            assert thickness == pytest.approx(weights[query, key], abs=0.04)
        wanted = {(q, k) for q in range(rows) for k in range(weights.shape[1]) if weights[q, k] >= 0.02}
        assert wanted <= {(query, key) for query, key, *_ in drawn}


def test_ribbons_are_the_weights_from_key_to_query(tab: Page, overview: Overview) -> None:
    explanation = overview(step=3, layer=2, head=4)
    shown = "(name) => [...document.querySelectorAll(name)].filter((node) => node.style.display !== 'none').length"
    figure, total = tab.locator(".flow"), len(explanation.target)
    check_ribbons(tab, explanation, 3, 2, 4)
    press(tab, "ArrowRight", "ArrowRight", "ArrowUp", "]")
    check_ribbons(tab, explanation, 5, 1, 5)
    assert (tab.evaluate(shown, ".slot"), tab.evaluate(shown, "rect.hatch")) == (total - 6, total - 6), (
        "the mask stands for the rest"
    )
    said = f"Step 6 of .*, layer 2, head 6: After «.*{percent(explanation.steps[5].top(1)[0][1])}"
    expect(figure).to_have_attribute("aria-label", re.compile(said))
    expect(tab.locator(".aloud")).to_have_text(tab.locator(".reading").text_content() or "")


def test_a_block_opens_by_enter_and_closes_by_escape(tab: Page, overview: Overview) -> None:
    explanation = overview(layer=1)
    for block in ("masked", "cross", "softmax"):
        tab.evaluate("store.set({ step: 4, head: 3 })")
        button = tab.locator(f".opens[data-opens={block}]")
        button.focus()
        press(tab, "Enter")
        assert tab.evaluate("store.view.open") == block
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(tab.locator(".crumbs .here")).to_have_text(texts("browser.overview")["name"][block])
        expect(tab.locator(".flow")).to_be_hidden()
        press(tab, "ArrowRight", "]", "Escape")
        assert tab.evaluate("[store.view.open, store.view.step, store.view.head].join()") == ",5,4"
        expect(tab.locator(".lens")).to_be_hidden()
        expect(tab.locator(".flow .token.highlighted")).to_have_text(explanation.target.labels[5])
        expect(button).to_be_focused()


def test_both_feed_forwards_open_for_their_own_token(tab: Page, overview: Overview) -> None:
    explanation = overview(step=3, layer=1)
    box, rows = tab.locator(".opens[data-opens=encoder_ffn]").bounding_box(), tab.locator("svg.rows").bounding_box()
    assert box and rows
    pitch = rows["height"] / max(len(explanation.source), len(explanation.target))
    tab.mouse.click(box["x"] + box["width"] / 2, rows["y"] + 2.5 * pitch)  # the third token's row
    told = tab.locator(".lens-picture")
    expect(told).to_have_attribute("aria-label", re.compile(f"«{explanation.source.labels[2]}», layer 2"))
    tab.evaluate("store.set({ open: 'ffn' })")
    expect(told).to_have_attribute("aria-label", re.compile(f"«{explanation.target.labels[3]}», layer 2"))


def test_the_figure_of_the_paper_is_alive_and_its_boxes_lead_to_the_blocks(tab: Page, overview: Overview) -> None:
    tab.set_viewport_size({"width": 1400, "height": 800})
    explanation = overview(width=1132, step=2, layer=2, head=4, drawing="paper")
    expect(tab.locator(".flow")).to_be_hidden()
    press(tab, "ArrowRight")
    figure, firing = tab.locator(".paper"), np.count_nonzero(explanation.trace.array("decoder.2.ffn.hidden")[3])
    for said in (f"{firing} of", " ".join(explanation.target.labels[:4]), percent(explanation.steps[3].top(5)[4][1])):
        expect(figure).to_contain_text(said)
    svg = ET.fromstring(tab.evaluate("part.svg()"))
    assert "Positional" in [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    figure.get_by_role("button", name="Masked multi-head attention").focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("[store.view.drawing, store.view.open].join()") == "paper,masked"
    press(tab, "Escape")  # back to the figure
    expect(figure).to_be_visible()
    press(tab, "Escape")
    expect(tab.locator(".flow")).to_be_visible()


def test_what_is_hidden_is_nowhere(tab: Page, overview: Overview) -> None:
    explanation = overview(step=3, predict="word", open="masked")
    secret = explanation.output[3].label
    told = """[...document.querySelectorAll("text, .reading, .aloud")]
        .filter((node) => node.style.display !== "none").map((node) => node.textContent).join(" | ")"""
    assert secret not in tab.evaluate(told)
    tab.evaluate("store.set({ drawing: 'paper', open: '' })")
    tab.evaluate(FRAME)
    assert secret not in tab.evaluate(told)
    press(tab, "ArrowRight")  # reveals
    expect(tab.locator(".paper")).to_contain_text(secret)


def test_nothing_typed_is_markup_and_the_drawing_stands_alone(tab: Page, overview: Overview) -> None:
    explanation = overview(target=HOSTILE, step=5)
    for block in ("masked", "embedding", "softmax"):
        tab.evaluate("(open) => store.set({ open })", block)
        tab.evaluate(FRAME)
        assert ET.fromstring(tab.evaluate("part.svg()")).find(".//{*}script") is None
    assert tab.title() == ""
    press(tab, "Escape")
    svg = ET.fromstring(tab.evaluate("part.svg()"))
    said = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert all(label in said for label in explanation.source.labels)
    assert "var(--" not in ET.tostring(svg, "unicode")


SIDES = """() => {
  const { top, bottom } = document.querySelector(".scroller").getBoundingClientRect();
  const groups = [...document.querySelectorAll(".rows > g")].map((group) => [...group.querySelectorAll("text.token")]);
  const words = { target: groups[0], source: groups[1].filter((node) => node.getAttribute("text-anchor") === "end"),
    keys: groups[1].filter((node) => node.getAttribute("text-anchor") === "start") };
  const shown = ({ style }) => style.display !== "none";
  const middle = (node) => { const box = node.getBoundingClientRect(); return (box.top + box.bottom) / 2; };
  const seen = (nodes) => nodes.flatMap((node, at) =>
    shown(node) && middle(node) > top && middle(node) < bottom ? [at + 1] : []);
  const pitch = middle(words.source[1]) - middle(words.source[0]);
  const found = Object.entries(words).map(([of, all]) => [of, seen(all)]);
  return { room: Math.floor((bottom - top) / pitch), ...Object.fromEntries(found) };
}"""
"""How many rows have room, and of target, source and keys the tokens that are seen, from 1."""
CROSSING = """() => {
  const box = (node) => node.getBoundingClientRect();
  const middle = (node) => (box(node).top + box(node).bottom) / 2;
  const keys = [...document.querySelectorAll(".rows .token[text-anchor=start]")];
  const top = box(document.querySelector(".rows")).top;
  return [...document.querySelectorAll(".ribbons.cross path")].map((path) => {
    const shift = path.getCTM().f - document.querySelector(".rows").getCTM().f;
    const n = path.getAttribute("d").match(/-?[\\d.]+/g).map(Number);
    return Math.abs((n[1] + n.at(-1)) / 2 + shift + top - middle(keys[path.dataset.key]));
  });
}"""
"""How far each ribbon of cross attention begins from the middle of its key, px."""
PARK = "We met in the park and talked about the weather. "
WEATHER = "Wir trafen uns im Park und sprachen über das Wetter. "


@pytest.mark.parametrize(("source", "target"), [(1, 5), (5, 1)])
def test_neither_side_is_empty_beside_a_long_one(tab: Page, overview: Overview, source: int, target: int) -> None:
    """However long the other is, and wherever it is scrolled: each window is full."""
    explanation = overview(PARK * source, WEATHER * target, width=1280, step=0)
    steps = len(explanation.steps)
    for width, step in product((1280, 390), sorted({0, steps // 3, steps - 1})):
        bare.widen(tab, width)
        tab.evaluate("step => store.set({ step })", step)
        tab.evaluate(FRAME)
        seen = tab.evaluate(SIDES)
        assert step + 1 in seen["target"]
        assert len(seen["source"]) >= min(len(explanation.source), seen["room"] - 1)
        assert seen["keys"] == seen["source"]
        assert max(tab.evaluate(CROSSING)) < 2
    for key in ("Home", "ArrowRight", "End"):
        press(tab, key)
        now, view = tab.locator(".token.highlighted").bounding_box(), tab.locator(".scroller").bounding_box()
        assert now and view and view["y"] - 3 <= now["y"] and now["y"] + now["height"] <= view["y"] + view["height"] + 3
    assert tab.locator(".ribbons path").count() < 2500


def test_a_row_that_is_scrolled_apart_is_the_one_that_is_pointed_at(tab: Page, overview: Overview) -> None:
    explanation = overview(PARK, WEATHER * 5, step=45)
    third = tab.locator(".rows > g:last-child > .token[text-anchor=end]").nth(2).bounding_box()
    assert third
    tab.mouse.move(third["x"] + third["width"] / 2, third["y"] + third["height"] / 2)
    expect(tab.locator(".reading")).to_contain_text(f"«{explanation.source.labels[2]}»")


def test_another_sentence_and_another_theme_take_its_place(tab: Page, overview: Overview, shipped: Checkpoint) -> None:
    overview(step=7)
    other = explain(shipped, "I love you.")
    tab.evaluate(
        """([payload, steps, theme]) => {
            Object.assign(store, { limits: { ...store.limits, steps }, theme });
            part.update(core.bytesOf(payload));
            store.set({ step: 1 });
        }""",
        [bare.sent(overview_payload(other, shipped.tokenizer)), len(other.steps), asdict(DARK) | {"still": True}],
    )
    tab.evaluate(FRAME)
    expect(tab.locator(".token.highlighted")).to_have_text(other.target.labels[1])
    assert DARK.encoder.lower() in (tab.locator("style").last.text_content() or "").lower()


def test_in_the_app_the_address_follows_and_leads_back_into_a_block(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/?text=The+cat+is+sleeping+on+the+sofa.&step=2&layer=3&head=4")
    expect(kept.locator(".viz-overview .token.highlighted")).to_have_text("Die")
    kept.keyboard.press("ArrowRight")
    expect(kept.locator(".viz-overview .reading")).to_contain_text("After «Katze»")
    cross = kept.locator(".opens[data-opens=cross]").bounding_box()
    assert cross
    kept.mouse.click(cross["x"] + cross["width"] * 0.8, cross["y"] + 150)
    follows(kept, step="3", layer="3", head="4", open="cross")
    opened, picture = kept.url, kept.locator(".viz-overview .lens-picture")
    said = re.compile("Cross attention, softmax, layer 3, head 4: 3 queries in rows, 9 keys in columns")
    expect(picture).to_have_attribute("aria-label", said)
    kept.keyboard.press("Escape")
    kept.keyboard.press("ArrowRight")
    follows(kept, step="4", open=None)
    turn_to(kept, opened)
    expect(picture).to_be_in_viewport(ratio=0.99)
    expect(picture).to_have_attribute("aria-label", said)
    kept.keyboard.press("Escape")
    kept.locator(".viz-overview .name.masked").click()
    kept.get_by_role("link", name="Masked", exact=True).click()
    kept.wait_for_url(re.compile("/masked_attention"))
