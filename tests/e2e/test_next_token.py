"""The last softmax in a real browser: exact at every temperature, right at once, and nothing typed is ever markup."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.bare import frame
from tests.e2e.driving import follows, open_at
from viz_core import explain
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.downloads import page_file
from viz_core.app.drawing import Drawn
from viz_core.app.page import Page as Writer
from viz_core.app.view_options import View
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent

pytestmark = pytest.mark.e2e
TEMPERATURES = (0.1, 0.5, 1.0, 2.0, 5.0)
HOSTILE = "Die <img src=x onerror=document.title='owned'> Katze </script>"
Mount = Callable[..., Explanation]


@pytest.fixture
def mount(tab: Page, shipped: Checkpoint) -> Mount:
    """Shows a sentence."""

    def mounted(target: str | None = None, *, still: bool = False, width: int = 930, **view: object) -> Explanation:
        explanation = explain(shipped, "The cat is sleeping on the sofa.", target)
        payload = next_token_payload(explanation, shipped.tokenizer)
        bare.mount(tab, "next_token", payload, explanation, view, page="output", width=width, still=still)
        return explanation

    return mounted


def labels(tab: Page) -> list[str]:
    """The rows on display, from the top."""
    found: list[str] = tab.evaluate(
        """() => [...document.querySelectorAll(".bars .row:not(.going, .rest)")]
            .sort((one, other) => place(one) - place(other)).map((row) => row.querySelectorAll("text")[1].textContent);
            function place(row) { return Number(row.getAttribute("transform").match(/ ([\\d.]+)\\)/)[1]); }"""
    )
    return found


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_softmax_is_numpys_over_the_whole_vocabulary(tab: Page, mount: Mount, temperature: float) -> None:
    logits = mount().trace.array("output.logits").astype(np.float64)
    over = (logits - logits.max(-1, keepdims=True)) / temperature
    expected = np.exp(over) / np.exp(over).sum(-1, keepdims=True)
    found = tab.evaluate(
        """(temperature) => {
            const all = code.readNextToken(bytes), steps = [...Array(all.steps).keys()];
            const spreads = steps.map((step) => {
                const { probabilities: chances, bits } = all.spread(step, temperature);
                return [Array.from(chances), bits];
            });
            return { spreads, overview: all.overview(temperature).map(({ p }) => p), written: steps.map(all.expected) };
        }""",
        temperature,
    )
    for step, (chances, bits) in enumerate(found["spreads"]):
        assert np.allclose(chances, expected[step], rtol=1e-12, atol=0)
        assert abs(sum(chances) - 1) < 1e-12
        assert bits == pytest.approx(-(expected[step] * np.log2(np.maximum(expected[step], 1e-300))).sum(), rel=1e-10)
        near = 1e-5 if temperature == 1 else 1e-12  # at T = 1 the recorded number, whose logarithm is a float32
        assert found["overview"][step] == pytest.approx(expected[step, found["written"][step]], rel=near)


def test_at_1_every_printed_number_is_the_recorded_one(tab: Page, mount: Mount) -> None:
    explanation = mount("Der Hund schläft auf dem Sofa.")
    rows = tab.evaluate(
        """() => { const all = code.readNextToken(bytes), view = { ...store.view, top: "20" };
            return [...Array(all.steps).keys()].map((step) => code.shownAt(all, { ...view, step }).rows
                .map(({ id, p, ghost }) => [id, code.percent(p), step ? code.percent(ghost) : ""])); }"""
    )
    for t, step in enumerate(explanation.steps):
        assert [row[0] for row in rows[t]] == list(dict.fromkeys(candidates(step)))
        for token_id, printed, ghost in rows[t]:
            assert printed == percent(step.probability(token_id))
            assert ghost == (percent(explanation.steps[t - 1].probability(token_id)) if t else "")


def test_where_room_is_equal_a_share_has_four_signs_and_is_never_0_or_100_unless_it_is(tab: Page, mount: Mount) -> None:
    mount(temperature=0.1)
    shown = {0: "0", 1e-9: "<0.1", 9e-4: "<0.1", 1e-3: "0.1", 0.0994: "9.9", 0.0996: "10", 0.9949: "99", 0.9951: ">99", 1: "100"}
    assert tab.evaluate("shares => shares.map(code.shareInCell)", list(shown)) == list(shown.values())
    columns = tab.locator(".steps g g")
    assert columns.count() == tab.evaluate("store.limits.steps")
    assert all(re.fullmatch(r".{1,4} %", text) for text in columns.locator("text:first-of-type").all_text_contents())


@pytest.mark.parametrize("width", [930, 300])
def test_both_rows_of_bars_spell_each_token_alike(tab: Page, mount: Mount, shipped: Checkpoint, width: int) -> None:
    explanation = mount("Die Katze miaute.", width=width)
    names = tab.locator(".steps g g text:last-of-type").all_text_contents()
    assert names == [vocabulary_label(shipped.tokenizer, token.id) for token in explanation.output]
    assert any(name.startswith("·") for name in names)


def test_a_step_shows_the_right_bars_in_the_next_frame_and_they_come_to_rest(tab: Page, mount: Mount, shipped: Checkpoint) -> None:
    explanation = mount()
    tab.evaluate("window.moved = 0; addEventListener('transitionrun', () => { window.moved += 1; }, true)")
    for t in (1, 2, 1):
        tab.keyboard.press("ArrowRight" if t > tab.evaluate("store.view.step") else "ArrowLeft")
        frame(tab)
        assert [label.lstrip("·") for label in labels(tab)] == [token for token, _ in explanation.steps[t].top(10)]
        shown = tab.locator(".bars .row:not(.going) text:nth-of-type(3)").all_text_contents()
        assert percent(explanation.steps[t].top(1)[0][1]) in shown
    assert tab.evaluate("moved") > 0
    tab.wait_for_function("document.getAnimations().length === 0")
    expect(tab.locator(".bars .row:not(.rest)")).to_have_count(10)
    top, bar = (tab.locator(f".bars .row:not(.rest) {name}").first for name in ("text:nth-of-type(3)", ".bar"))
    width = bar.bounding_box()
    assert width is not None and width["width"] > 100, top.text_content()


def test_no_bar_moves_as_a_stretched_layer(tab: Page, mount: Mount) -> None:
    """Chromium draws a layer as large as a transform makes it, in both directions: the page would stand still for seconds."""
    mount()
    tab.keyboard.press("ArrowRight")
    frame(tab)
    frames = tab.evaluate("document.getAnimations().flatMap(({ effect }) => effect.getKeyframes())")
    assert any("width" in each for each in frames)
    assert any("transform" in each for each in frames)
    assert not [each for each in frames if "scale" in each.get("transform", "") or "scale" in each]


@pytest.mark.parametrize("axis", ["log", "linear", "logit"])
def test_the_axis_names_its_scale_and_each_bar_ends_where_its_value_stands(tab: Page, mount: Mount, axis: str) -> None:
    explanation = mount(still=True, axis=axis, step=2)
    step, place = explanation.steps[2], math.log10 if axis == "log" else float
    *across, (named, _), _ = tab.evaluate("""() => [...document.querySelectorAll(".bars > g:last-of-type text")].map((text, at) =>
        [text.textContent, document.querySelectorAll(".bars > g:first-of-type line")[at]?.getBoundingClientRect().left])""")
    assert named.endswith(f"{'log' if axis == 'log' else 'linear'} scale")
    ticks = [(float(text.removesuffix(" %").replace("−", "-")) / (1 if axis == "logit" else 100), x) for text, x in across]
    (low, start), (high, end) = ticks[0], ticks[-1]
    assert axis == "logit" or (low, high) == ((1e-6, 1) if axis == "log" else (0, 1))
    boxes = [bar.bounding_box() for bar in tab.locator(".bars .row:not(.rest) .bar").all()]
    for (_, p), box, token_id in zip(step.top(10), boxes, candidates(step), strict=False):
        value = float(explanation.trace.array("output.logits")[2, token_id]) if axis == "logit" else p
        x = start + (end - start) * (place(value) - place(low)) / (place(high) - place(low))
        assert box and (box["x"] + box["width"] if value > 0 else box["x"]) == pytest.approx(x, abs=1.5)


def test_nothing_moves_where_motion_is_to_be_avoided(tab: Page, mount: Mount) -> None:
    mount(still=True)
    tab.keyboard.press("ArrowRight")
    frame(tab)
    assert tab.evaluate("document.getAnimations().length") == 0
    assert tab.locator(".bars .row").count() == 11


def test_the_slider_is_for_the_keyboard_and_finds_1(tab: Page, mount: Mount) -> None:
    mount()
    slider = tab.get_by_role("slider", name="Temperature")
    slider.focus()
    seen = []
    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        tab.keyboard.press(key)
        seen.append(tab.evaluate("store.view.temperature"))
    assert seen == [0.89, 0.79, 0.89, 1, 1.1, 1.3]
    assert tab.evaluate("store.view.step") == 0
    frame(tab)
    assert slider.get_attribute("aria-valuetext") == "temperature 1.3"
    expect(tab.locator(".reading")).to_contain_text("Entropy at T = 1.3 (derived)")
    slider.fill("2")  # dragged to beside the mark
    frame(tab)
    assert tab.evaluate("store.view.temperature") == 1
    expect(tab.locator(".reading")).to_contain_text("Entropy: ")


def test_a_click_and_the_list_pick_a_token(tab: Page, mount: Mount) -> None:
    mount(step=2)
    box = tab.locator(".bars").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + 400, box["y"] + 20 + 23 * 3 + 10)  # below the heading of the columns
    assert tab.evaluate("store.view.cell") == [2, 3]
    tab.mouse.move(5, 700)
    tab.wait_for_timeout(400)
    button = tab.get_by_role("list", name=re.compile("most probable")).get_by_role("button").nth(4)
    button.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate("store.view.cell") == [2, 4]
    box = tab.locator(".steps").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + box["width"] - 20, box["y"] + 80)
    assert tab.evaluate("store.view.step") == 7


def test_what_is_to_be_predicted_stands_nowhere(tab: Page, mount: Mount) -> None:
    explanation = mount(step=2, predict="word")
    tab.wait_for_timeout(400)  # until it is said, too
    word = explanation.steps[2].expected.text
    assert word == "schläft"
    assert set(labels(tab)) == {"?"}
    assert word not in tab.evaluate("document.querySelector('#root').outerHTML + store.picture.svg()")
    expect(tab.locator("svg[role=img]").first).to_have_attribute("aria-label", re.compile(r"Die Katze .*\?"))
    tab.keyboard.press("PageDown")
    frame(tab)
    assert labels(tab)[0] == word


def test_typed_text_is_text_in_the_picture_and_in_its_file(tab: Page, mount: Mount) -> None:
    explanation = mount(HOSTILE)
    tab.evaluate("store.set({ step: store.limits.steps - 1, top: '20', temperature: 0.5 })")
    tab.wait_for_timeout(400)
    assert tab.title() != "owned"
    assert tab.locator("#root img, #root script").count() == 0
    drawing = ET.fromstring(tab.evaluate("store.picture.svg()"))
    texts = "".join(node.text or "" for node in drawing.iter("{http://www.w3.org/2000/svg}text"))
    assert explanation.text[-15:] in texts
    assert "Entropy at T = 0.5 (derived)" in texts


def test_the_file_opens_alone_and_steps(tab: Page, shipped: Checkpoint, tmp_path: Path) -> None:
    explanation = explain(shipped, "The cat is sleeping on the sofa.", HOSTILE)
    this = Writer("output", View(lambda: shipped, lambda: explanation, step=0, layer=0, head=0))
    this.drawn.append(Drawn("part", "next_token", next_token_payload(explanation, shipped.tokenizer)))
    path = tmp_path / "output.html"
    path.write_bytes(page_file(this)())
    tab.goto(path.as_uri())
    tab.keyboard.press("ArrowRight")
    frame(tab)
    expect(tab.locator(".bars text").first).to_be_visible()
    shown = tab.locator(".bars .row:not(.going) text:nth-of-type(3)").all_text_contents()
    assert percent(explanation.steps[1].top(1)[0][1]) in shown
    assert tab.title() != "owned"


def test_the_page_follows_temperature_and_pick(page: Page, server: str) -> None:
    open_at(page, f"{server}/output?text=I+love+you.&step=2")
    page.get_by_role("slider", name="Temperature").focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    follows(page, temperature="0.5")
    below = page.locator(".st-key-_below")
    below.scroll_into_view_if_needed()
    expect(page.get_by_text(re.compile("At .*derived"))).to_be_visible()
    page.locator(".viz-next-token .bars").scroll_into_view_if_needed()
    box = page.locator(".viz-next-token .bars").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 300, box["y"] + 20 + 23 * 2 + 10)
    follows(page, cell="2-3")
    picked = page.locator(".viz-next-token .list button[aria-pressed=true]").text_content() or ""
    token = re.search("«(.*)»", picked)
    assert token
    below.scroll_into_view_if_needed()
    expect(page.get_by_text(f"The logit of «{token[1]}»")).to_be_visible()
    page.reload()
    expect(page.locator(".viz-next-token .reading")).to_contain_text("T = 0.5")
