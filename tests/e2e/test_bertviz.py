"""The bertviz views in a real browser, in an iframe as on a page and without a network."""

import re
from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import FrameLocator, Locator, Page, expect

from pages.heads.bertviz import BertvizDocument, head_view_html, model_view_html
from pages.heads.bertviz_weights import PassWeights
from tests.e2e.driving import open_at
from tests.e2e.test_axe import AXE, RUN
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.palette import DARK, LIGHT, Palette, contrast, rgb
from viz_core.trace import BLOCK

pytestmark = pytest.mark.e2e

WIDTH = 860
HOSTILE = ["</script><script>window.ran = 1</script>", "<!--", "<img src=x onerror='window.ran = 1'>", "\u2028", "\"'&lt;"]
Show = Callable[[BertvizDocument], FrameLocator]
VIEWS = pytest.mark.parametrize("view", [head_view_html, model_view_html])


@pytest.fixture(scope="module")
def explained(shipped: Checkpoint) -> Explanation:
    return explain(shipped, "A nurse feeds the small otter in the garden.")


@pytest.fixture(scope="module")
def seen(explained: Explanation) -> PassWeights:
    layers = range(explained.trace.config.n_layers)
    weights = {kind: [explained.trace.attention(kind, layer).weights for layer in layers] for kind in BLOCK}
    return PassWeights(weights, explained.source.labels, explained.target.labels)


@pytest.fixture
def show(tab: Page) -> Show:
    """Shows a view as Streamlit does: as the text of an iframe that may run scripts."""

    def shown(view: BertvizDocument) -> FrameLocator:
        place = f'width={WIDTH} height={view.height} style="border: 0" title="{view.title}"'
        frame = f'<iframe sandbox="allow-scripts allow-same-origin" {place} srcdoc="{escape(view.html)}"></iframe>'
        tab.set_content(f"<html lang=en><title>-</title><main><h1>-</h1>{frame}</main>")
        inside = tab.frame_locator("iframe")
        inside.locator("#vis svg line").first.wait_for(state="attached")
        return inside

    return shown


def strongest(weights: Any, labels: list[str]) -> str:
    """How the strip says the strongest of a row or a column."""
    share = float(f"{100 * round(float(weights.max()), 3):.1f}")
    return f"«{labels[int(weights.argmax())]}» {share:g} %"


def token(inside: FrameLocator, side: str, index: int) -> Locator:
    return inside.locator(f"#{side} > g:last-child > g").nth(index)


def test_pointing_at_a_query_or_a_key_reads_the_weights_of_the_trace(show: Show, seen: PassWeights) -> None:
    inside = show(head_view_html(seen, layer=1))
    strip = inside.locator(".reading")
    weights = seen.weights["cross"][1]
    token(inside, "left", 3).hover()
    expect(strip).to_contain_text(f"«{seen.target[3]}» attends most to")
    for head in range(8):
        expect(strip).to_contain_text(f"{head + 1}: {strongest(weights[head, 3], list(seen.source))}")
    token(inside, "right", 2).hover()
    expect(strip).to_contain_text(f"«{seen.source[2]}» gets most attention from")
    expect(strip).to_contain_text(f"5: {strongest(weights[4, :, 2], list(seen.target))}")
    inside.locator("#filter").select_option(label="Encoder: source attends to source")
    inside.locator("#layer").select_option("4")
    token(inside, "left", 0).hover()
    expect(strip).to_contain_text(f"8: {strongest(seen.weights['self'][3][7, 0], list(seen.source))}")


def test_a_line_joins_a_query_on_the_left_to_its_key_on_the_right(show: Show, seen: PassWeights) -> None:
    inside = show(head_view_html(seen, layer=3))
    inside.get_by_role("button", name="Head 3").dblclick()
    head = seen.weights["cross"][3][2]
    for query in (0, 4):
        key = int(head[query].argmax())
        line = inside.locator(f".headAttention[head-index='2'] line[left-token-index='{query}'][right-token-index='{key}']")
        texts = [token(inside, side, at).locator("text") for side, at in (("left", query), ("right", key))]
        box, left, right = (part.evaluate("part => part.getBoundingClientRect().toJSON()") for part in (line, *texts))
        assert 0 <= box["left"] - left["right"] < 20 and 0 <= right["left"] - box["right"] < 20
        rows = sorted((side["top"] + side["bottom"]) / 2 for side in (left, right))
        assert [box["top"], box["bottom"]] == pytest.approx(rows, abs=5)
        assert float(line.get_attribute("stroke-opacity") or 0) == pytest.approx(head[query, key], abs=0.0005)


def test_heads_are_switched_by_keys(show: Show, seen: PassWeights, tab: Page) -> None:
    inside = show(head_view_html(seen))
    heads = inside.locator(".heads button")

    def on() -> list[int]:
        return [i + 1 for i in range(8) if heads.nth(i).get_attribute("aria-pressed") == "true"]

    assert on() == [1, 2, 3, 4, 5, 6, 7, 8]
    heads.nth(1).focus()
    tab.keyboard.press("Enter")
    assert on() == [1, 3, 4, 5, 6, 7, 8]
    tab.keyboard.press("Shift+Enter")
    assert on() == [2]
    tab.keyboard.press("Shift+Enter")
    assert on() == [1, 2, 3, 4, 5, 6, 7, 8]
    for _ in range(7):
        tab.keyboard.press("Tab")
    tab.keyboard.press("ArrowDown")
    expect(inside.locator(".reading")).to_contain_text(f"«{seen.target[1]}» attends most to")


def test_a_picture_opens_by_keys_and_reads_the_weights_of_the_trace(show: Show, seen: PassWeights, tab: Page) -> None:
    inside = show(model_view_html(seen, first="masked"))
    pictures = inside.locator("#vis svg > g[aria-label]")
    expect(pictures).to_have_count(32)
    inside.locator("#filter").focus()
    for key in ("Tab", "ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        tab.keyboard.press(key)
    expect(inside.get_by_role("button", name="Layer 2, head 3", expanded=True)).to_be_focused()
    expect(inside.locator("text.detail")).to_have_text("Layer 2, Head 3")
    row = seen.weights["masked"][1][2, 3]
    inside.locator("g.detail").first.locator("> g").nth(3).hover()
    expect(inside.locator(".reading")).to_contain_text(f"«{seen.target[3]}» attends most to {strongest(row, list(seen.target))}")
    assert f"«{seen.target[4]}»" not in inside.locator(".reading").inner_text()
    pictures.nth(10).focus()
    tab.keyboard.press("Enter")
    expect(inside.locator("text.detail")).to_have_count(0)


@pytest.mark.parametrize(("view", "palette"), [(head_view_html, LIGHT), (model_view_html, DARK)])
def test_it_can_be_read(show: Show, seen: PassWeights, tab: Page, view: Any, palette: Palette) -> None:
    shown = view(seen, palette=palette)
    inside = show(shown)
    ground = inside.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert tuple(map(int, re.findall(r"\d+", ground))) == rgb(palette.surface)
    if view is model_view_html:
        inside.locator("#vis svg > g").nth(9).click()
    letters = "texts => texts.map(text => [getComputedStyle(text).fill, parseFloat(getComputedStyle(text).fontSize)])"
    inks = inside.locator("#vis text").evaluate_all(letters)
    assert len(inks) >= len(seen.source) + len(seen.target)
    for ink, size in inks:
        assert contrast(list(map(int, re.findall(r"\d+", ink))), rgb(palette.surface)) >= 4.5
        assert size >= 18
    for kind in ("0", "1", "2"):
        inside.locator("#filter").select_option(kind)
        whole = inside.locator("html").evaluate(
            "html => [html.scrollWidth - html.clientWidth, html.scrollHeight - html.clientHeight]"
        )
        assert whole == [0, 0]
    for document in (tab.locator("html").first, inside.locator("html")):
        document.evaluate(f"() => {{ {AXE.read_text('utf-8')} }}")
    assert tab.evaluate(RUN, {}) == []


def test_lines_have_our_colours_and_heads_one_each(show: Show, seen: PassWeights) -> None:
    palette = DARK
    strokes = "lines => [...new Set(lines.map(line => line.getAttribute('stroke')))]"
    inside = show(head_view_html(seen, palette=palette))
    heads = [inside.locator(f".headAttention[head-index='{head}'] line").evaluate_all(strokes) for head in range(8)]
    assert heads == [[colour] for colour in palette.heads[:8]]
    dots = inside.locator(".heads .dot").evaluate_all("dots => dots.map(dot => getComputedStyle(dot).backgroundColor)")
    assert [tuple(map(int, re.findall(r"\d+", dot))) for dot in dots] == [rgb(colour) for (colour,) in heads]
    assert len(set(palette.heads)) == 10
    assert all(contrast(rgb(colour), rgb(palette.surface)) >= 3 for colour in palette.heads)
    inside = show(model_view_html(seen, palette=palette))
    assert inside.locator("#vis line").evaluate_all(strokes) == [palette.weight]


def test_letters_are_those_of_the_page_around_it(page: Page, server: str) -> None:
    open_at(page, f"{server}/heads?text=I+sleep.&show=head_view")
    inside = page.frame_locator("iframe[srcdoc]")
    inside.locator("#vis text").first.wait_for()
    loaded = "() => document.fonts.ready.then(all => [...all].filter(font => font.status === 'loaded').map(font => font.family))"
    assert [name.strip("\"'") for name in inside.locator("html").evaluate(loaded)] == ["Source Sans"]
    family = "node => getComputedStyle(node).fontFamily.split(',')[0].replace(/[\"']/g, '')"
    for node in ("body", "#filter", ".heads button", "#vis text"):
        assert inside.locator(node).first.evaluate(family) == "Source Sans"


@VIEWS
def test_typed_markup_is_shown_as_typed(show: Show, view: Any) -> None:
    size = len(HOSTILE)
    weights = [np.full((2, size, size), 1 / size)]
    inside = show(view(PassWeights(dict.fromkeys(BLOCK, weights), HOSTILE, HOSTILE)))
    if view is model_view_html:
        inside.locator("#vis svg > g").first.click()
    written = inside.locator("#vis svg text").all_text_contents()
    assert {"⟨2028⟩" if text == "\u2028" else text for text in HOSTILE} <= set(written)
    assert inside.locator("html").evaluate("() => [window.ran, document.images.length]") == [None, 0]
    wide = inside.locator("#vis svg text").evaluate_all(
        "texts => texts.map(text => text.getBoundingClientRect()).map(box => box.left)"
    )
    assert min(wide) >= 0


def test_one_token_on_each_side_is_enough(show: Show) -> None:
    one = PassWeights({kind: [np.ones((1, 1, 1))] for kind in BLOCK}, ["Ja"], ["⟨s⟩"])
    for view in (head_view_html, model_view_html):
        inside = show(view(one))
        assert inside.locator("#vis svg line").count() == 1
