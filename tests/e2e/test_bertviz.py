"""The bertviz views in a real browser, in an iframe as on a page and without a network."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from itertools import cycle

import pytest
from playwright.sync_api import FrameLocator, Locator, Page

from pages.heads.bertviz import Name, document
from tests.e2e.test_axe import AXE, RUN
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.palette import DARK, LIGHT, Palette, contrast, rgb

pytestmark = pytest.mark.e2e

WIDTH = 860
HOSTILE = ["</script><script>window.ran = 1</script>", "<!--", "<img src=x onerror='window.ran = 1'>", "\u2028", "\"'&lt;"]
Show = Callable[..., FrameLocator]
VIEWS = pytest.mark.parametrize("view", ["head_view", "model_view"])


@pytest.fixture(scope="module")
def explained(shipped: Checkpoint) -> Explanation:
    return explain(shipped, "A nurse feeds the small otter in the garden.")


@pytest.fixture
def show(tab: Page) -> Iterator[Show]:
    """Shows a view as Streamlit does: as the text of an iframe that may run scripts."""

    def shown(view: Name, explanation: Explanation, palette: Palette = LIGHT) -> FrameLocator:
        html, height = document(view, explanation, palette)
        place = f'width={WIDTH} height={height} style="border: 0" title="{view}"'
        frame = f'<iframe sandbox="allow-scripts allow-same-origin" {place} srcdoc="{escape(html)}"></iframe>'
        tab.set_content(f"<html lang=en><title>-</title><main><h1>-</h1>{frame}</main>")
        inside = tab.frame_locator("iframe")
        inside.locator("#vis svg line").first.wait_for(state="attached")
        return inside

    messages: list[str] = []
    tab.on("console", lambda message: messages.extend([message.text] * (message.type == "error")))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    yield shown
    assert messages == []


def token(inside: FrameLocator, side: str, index: int) -> Locator:
    return inside.locator(f"#{side} > g:last-child > g").nth(index)


def test_a_line_joins_a_query_on_the_left_to_its_key_on_the_right(show: Show, explained: Explanation) -> None:
    inside = show("head_view", explained)
    inside.locator("#layer").select_option("4")
    inside.locator("#vis svg > g:last-child > rect").nth(2).dblclick()
    head = explained.trace.attention("cross", 3).weights[2]
    for query in (0, 4):
        key = int(head[query].argmax())
        line = inside.locator(f".headAttention[head-index='2'] line[left-token-index='{query}'][right-token-index='{key}']")
        texts = [token(inside, side, at).locator("text") for side, at in (("left", query), ("right", key))]
        box, left, right = (part.evaluate("part => part.getBoundingClientRect().toJSON()") for part in (line, *texts))
        assert 0 <= box["left"] - left["right"] < 20 and 0 <= right["left"] - box["right"] < 20
        rows = sorted((side["top"] + side["bottom"]) / 2 for side in (left, right))
        assert [box["top"], box["bottom"]] == pytest.approx(rows, abs=5)
        assert float(line.get_attribute("stroke-opacity") or 0) == pytest.approx(head[query, key], abs=0.0005)


@pytest.mark.parametrize(("view", "palette"), [("head_view", LIGHT), ("model_view", DARK), ("model_view", LIGHT)])
def test_it_can_be_read(show: Show, explained: Explanation, tab: Page, view: Name, palette: Palette) -> None:
    inside = show(view, explained, palette)
    ground = inside.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert tuple(map(int, re.findall(r"\d+", ground))) == rgb(palette.surface)
    if view == "model_view":
        inside.locator("#vis svg > g").nth(9).click()
    letters = "texts => texts.map(text => [getComputedStyle(text).fill, parseFloat(getComputedStyle(text).fontSize)])"
    inks = inside.locator("#vis text").evaluate_all(letters)
    assert len(inks) >= len(explained.source) + len(explained.target)
    for ink, size in inks:
        assert contrast(list(map(int, re.findall(r"\d+", ink))), rgb(palette.surface)) >= 4.5
        assert size >= 18
    for kind in ("0", "1", "2"):
        inside.locator("#filter").select_option(kind)
        whole = inside.locator("html").evaluate(
            "html => [html.scrollWidth - html.clientWidth, html.scrollHeight - html.clientHeight]"
        )
        assert whole == [0, 0]
    for root in (tab.locator("html").first, inside.locator("html")):
        root.evaluate(f"() => {{ {AXE.read_text('utf-8')} }}")
    assert tab.evaluate(RUN, {}) == []


def test_lines_have_our_colours_and_heads_one_each(show: Show, explained: Explanation) -> None:
    palette = DARK
    strokes = "lines => [...new Set(lines.map(line => line.getAttribute('stroke')))]"
    inside = show("head_view", explained, palette)
    heads = [inside.locator(f".headAttention[head-index='{head}'] line").evaluate_all(strokes) for head in range(8)]
    assert heads == [[colour] for colour in palette.heads[:8]]
    squares = inside.locator("#vis svg > g:last-child > rect").evaluate_all("all => all.map(rect => rect.getAttribute('fill'))")
    assert [[square] for square in squares] == heads
    assert len(set(palette.heads)) == 10
    assert all(contrast(rgb(colour), rgb(palette.surface)) >= 3 for colour in palette.heads)
    inside = show("model_view", explained, palette)
    assert inside.locator("#vis line").evaluate_all(strokes) == [palette.weight]


@VIEWS
def test_typed_markup_is_shown_as_typed(show: Show, explained: Explanation, view: Name) -> None:
    tokens = [replace(token, text=text) for token, text in zip(explained.source.tokens, cycle(HOSTILE), strict=False)]
    inside = show(view, replace(explained, source=replace(explained.source, tokens=tuple(tokens))))
    if view == "model_view":
        inside.locator("#vis svg > g").first.click()
    written = [text.removesuffix("…") for text in inside.locator("#vis svg text").all_text_contents()]
    for typed in HOSTILE:
        assert any(text and typed.replace("\u2028", "⟨2028⟩").startswith(text) for text in written)
    assert inside.locator("html").evaluate("() => [window.ran, document.images.length]") == [None, 0]
    boxes = inside.locator("#vis svg text").evaluate_all("texts => texts.map(text => text.getBoundingClientRect().left)")
    assert min(boxes) >= 0
