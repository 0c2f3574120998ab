"""Beam search in a real browser: the right column and branches are marked, with the search's own numbers; nothing is given away."""

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.decoding.data import beam_tree_payload, certain_candidates
from tests.e2e import bare
from tests.e2e.bare import frame
from viz_core import explain
from viz_core.analysis.search import BeamOptions, BeamSearch, search
from viz_core.checkpoint import Checkpoint
from viz_core.figures.palette import LIGHT

pytestmark = pytest.mark.e2e
TEXT = "She speaks French at home and German at school."
Mount = Callable[..., BeamSearch]
SVG = "{http://www.w3.org/2000/svg}"
HEADS = """() => new Promise((done) => {
  const found = [], write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { e, a } = this.getTransform();
    found.push([text, x + e / a]);
    return write.call(this, text, x, y);
  };
  store.repaint();
  requestAnimationFrame(() => requestAnimationFrame(() => { CanvasRenderingContext2D.prototype.fillText = write; done(found); }));
})"""
"""What is drawn on the canvas, and how far from its left edge."""
USUAL = BeamOptions()


@pytest.fixture
def mount(tab: Page, shipped: Checkpoint, font: str) -> Mount:
    """Shows the search of a sentence."""

    def mounted(text: str = TEXT, asked: BeamOptions = USUAL, *, width: int = 930, **view: object) -> BeamSearch:
        explanation = explain(shipped, text)
        found = search(shipped, explanation, asked)
        payload = beam_tree_payload(found, shipped)
        bare.mount(tab, "beam_tree", payload, explanation, view, page="decoding", width=width, style=font)
        return found

    return mounted


def drawn(tab: Page) -> dict[str, float]:
    """Each text on the canvas and its place from the left."""
    return dict(tab.evaluate(HEADS))


def minus(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def lit(tab: Page) -> list[str]:
    """The tokens in boxes of the way that is lit, from the left."""
    root = ET.fromstring(tab.evaluate("store.picture.svg()"))
    boxes = [
        tuple(float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("stroke") == LIGHT.accent and rect.get("stroke-dasharray") is None
    ]
    texts = [(float(text.get("x", 0)), float(text.get("y", 0)), text.text or "") for text in root.iter(f"{SVG}text")]
    return [min((ty, said) for tx, ty, said in texts if x < tx < x + w and y < ty < y + h)[1] for x, y, w, h in sorted(boxes)]


def test_the_lit_column_and_the_tables_are_those_of_the_search(tab: Page, mount: Mount, shipped: Checkpoint) -> None:
    found = mount()
    places = []
    for t in (0, 1):
        texts = drawn(tab)
        assert [text for text in texts if text.startswith("step ")] == [f"step {t + 1}"]
        places.append(texts[f"step {t + 1}"])
        expect(tab.locator(".candidates h2")).to_have_text(f"Step {t + 1}: the candidates")
        rows = [row.locator("td").all_text_contents()[2:] for row in tab.locator(".candidates tbody tr").all()]
        shown = certain_candidates(found.steps[t])
        assert rows == [[minus(one.log_prob), minus(one.total), minus(one.score), one.fate] for one in shown]
        tab.keyboard.press("ArrowRight")
        frame(tab)
    assert places[0] < places[1]
    rows = [row.locator("td").all_text_contents() for row in tab.locator(".endings tbody tr").all()]
    assert [row[1:4] for row in rows] == [[minus(one.score), minus(one.total), str(len(one.ids))] for one in found.hypotheses]
    assert [row[5].removesuffix(" ← greedy") for row in rows] == [shipped.tokenizer.decode(one.tokens) for one in found.hypotheses]
    assert [at for at, row in enumerate(rows) if row[5].endswith("← greedy")] == [1]
    tab.locator(".candidates button").nth(1).focus()
    frame(tab)
    expect(tab.locator(".reading")).to_contain_text("Step 3, no. 2: «Sie spricht zu»")
    tab.keyboard.press("Enter")
    assert tab.evaluate("store.view.cell") == [2, 1]


def test_a_node_under_the_pointer_lights_its_way_and_says_it(tab: Page, mount: Mount) -> None:
    found = mount(step=3)
    kept = [one for one in found.steps[3].candidates if one.fate == "kept"]
    box = tab.locator("canvas[role=img]").bounding_box()
    assert box is not None
    x, y = box["x"] + drawn(tab)["step 4"], box["y"] + 52 + 46 * 1.5
    tab.mouse.move(x, y)
    frame(tab)
    expect(tab.locator(".reading")).to_contain_text(
        f"«Sie spricht Französisch und», «und» with 27 %. Σ ln p = {minus(kept[1].total)}"
    )
    expect(tab.locator(".reading")).to_contain_text("Part of greedy's.")
    assert lit(tab) == ["Sie", "spricht", "Französisch", "und"]
    tab.mouse.click(x, y)
    tab.mouse.move(5, 700)
    frame(tab)
    assert tab.evaluate("store.view.cell") == [3, 1]
    assert len(lit(tab)) == 4
    tab.keyboard.press("Escape")
    frame(tab)
    assert lit(tab) == []


def test_a_long_search_scrolls_and_the_current_column_stays_in_sight(tab: Page, mount: Mount) -> None:
    mount("If I had known that you were coming, I would have baked a cake.", width=700)
    for key in ("End", "ArrowLeft", "Home", "ArrowRight"):
        tab.keyboard.press(key)
        frame(tab)
        step = tab.evaluate("store.view.step")
        assert 60 < drawn(tab)[f"step {step + 1}"] < 640, key


def test_what_comes_after_greedys_end_is_a_click_away(tab: Page, mount: Mount) -> None:
    found = mount(step=9)
    steps = tab.evaluate("store.limits.steps")
    assert len(found.steps) == steps + 2
    expect(tab.locator(".reading")).to_contain_text(f"runs to step {len(found.steps)}")
    box = tab.locator("canvas[role=img]").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + drawn(tab)[str(steps + 1)], box["y"] + 12)
    frame(tab)
    expect(tab.locator(".candidates h2")).to_have_text(f"Step {steps + 1}: the candidates")
    tab.keyboard.press("ArrowLeft")
    frame(tab)
    frame(tab)
    expect(tab.locator(".candidates h2")).to_have_text(f"Step {steps - 1}: the candidates")
    assert tab.evaluate("store.view.cell") is None
