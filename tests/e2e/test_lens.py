"""The lens of the overview in a real browser: its numbers are the trace's at every level, lines lead where they should."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.conftest import MakeModel, made
from tests.e2e.bare import FRAME
from tests.e2e.conftest import Overview
from tests.e2e.test_sizes import TEXT_BOXES
from viz_core.app.markup import number
from viz_core.explain import Explanation
from viz_core.figures.palette import LIGHT
from viz_core.tokenizer import Tokenizer

pytestmark = pytest.mark.e2e
NAME = "{http://www.w3.org/2000/svg}"
TWELVE = "The children are playing with their new dog in the garden."
LONG = "We met in the park and talked about the weather. " * 8
Numbers = list[float]


def drawn(tab: Page) -> ET.Element:
    tab.evaluate(FRAME)
    return ET.fromstring(tab.evaluate("part.svg()"))


def texts(svg: ET.Element) -> list[tuple[str, float, float]]:
    """Words with the place of their middle line; x is where they are anchored."""
    return [
        (text.text or "", float(text.get("x") or 0), float(text.get("y") or 0))
        for text in svg.iter(f"{NAME}text")
        if not text.get("transform")
    ]


def paths(svg: ET.Element, **ink: str) -> list[Numbers]:
    """The numbers of each path with this stroke or fill."""
    found = [path for path in svg.iter(f"{NAME}path") if all(path.get(name) == colour for name, colour in ink.items())]
    return [[float(number) for number in re.findall(r"-?\d+\.?\d*", path.get("d") or "")] for path in found]


def test_a_cell_opens_its_arithmetic_and_escape_leads_back_level_by_level(tab: Page, overview: Overview) -> None:
    explanation = overview(step=4, layer=2, head=4, open="cross")
    tab.locator(".lens-picture").focus()
    tab.keyboard.press("Enter")  # the strongest of its row
    one = explanation.trace.attention("cross", 2)
    key = int(one.weights[4, 4].argmax())
    assert tab.evaluate("store.view.cell") == [4, key]
    other = int(one.weights[4, 4].argsort()[-2])
    tab.locator(".crumbs .of-k").select_option(index=other)
    assert tab.evaluate("store.view.cell") == [4, other]
    for left in ("[null,'cross'].join()", "[null,''].join()"):
        tab.keyboard.press("Escape")
        tab.evaluate(FRAME)
        assert tab.evaluate(f"[store.view.cell, store.view.open].join() === {left}")
    expect(tab.locator(".flow")).to_be_visible()
    tab.evaluate("store.set({ open: 'cross', show: 'layer' })")
    tab.keyboard.press("Escape")
    assert tab.evaluate("[store.view.open, store.view.show].join()") == "cross,one"


def test_beside_the_code_the_picture_is_smaller_and_pressed_where_it_is_drawn(tab: Page, overview: Overview) -> None:
    overview(TWELVE, step=3, layer=2, head=4, open="cross")
    tab.keyboard.press("c")
    tab.evaluate(FRAME)
    picture, code = (tab.locator(name).bounding_box() for name in (".lens-picture", ".code"))
    assert picture and code
    assert picture["x"] + picture["width"] < code["x"] and code["x"] + code["width"] <= 1132 + picture["x"]
    scale = picture["width"] / float(drawn(tab).get("width") or 0)  # a number is still where one presses it
    words, x, y = next(one for one in texts(drawn(tab)) if 150 < one[1] < 700 and re.fullmatch(r"\d\d", one[0]))
    tab.mouse.click(picture["x"] + x * scale, picture["y"] + y * scale)
    expect(tab.locator(".reading")).to_contain_text(f"{words} %")
    assert tab.evaluate("store.view.cell !== null")


def test_two_fingers_open_what_is_between_them(tab: Page, overview: Overview) -> None:
    overview(step=3, layer=2, head=4)
    block = tab.locator(".opens[data-opens=cross]").bounding_box()
    assert block
    place = {"clientX": block["x"] + block["width"] * 0.8, "clientY": block["y"] + 120, "deltaY": -5}
    zoom = """(place) => document.querySelector(".scroller").dispatchEvent(
        new WheelEvent("wheel", { ...place, ctrlKey: true, bubbles: true, cancelable: true }))"""
    assert not tab.evaluate(zoom, place), "the page itself does not zoom"
    assert tab.evaluate("store.view.open") == "cross"


STREAMS = """() => {
    const data = code.readOverview(bytes);
    return Object.fromEntries(["encoder_self_attn", "encoder_ffn", "decoder_self_attn", "decoder_cross_attn", "decoder_ffn"].map(
        (name) => [name, [Array.from(data.vector(`${name}_sum`)), data.exact(`${name}_sum`)]]));
}"""


def check_streams(tab: Page, explanation: Explanation, layers: dict[str, int]) -> None:
    for name, (numbers, exact) in tab.evaluate(STREAMS).items():
        stack, _, block = name.partition("_")
        recorded = np.stack([explanation.trace.array(f"{stack}.{layer}.resid_{block}") for layer in range(layers[stack])])
        assert exact and np.array_equal(np.array(numbers, np.float32).reshape(recorded.shape), recorded), name


def test_the_residual_stream_that_the_browser_adds_up_is_the_trace(tab: Page, overview: Overview) -> None:
    check_streams(tab, overview(), {"encoder": 4, "decoder": 4})


def test_a_model_that_computes_in_another_way_is_drawn_as_it_does(
    tab: Page, overview: Overview, make_model: MakeModel, tokenizer: Tokenizer
) -> None:
    def shown(block: str, **fields: object) -> tuple[Explanation, str]:
        model = made(make_model(norm="post", **fields), tokenizer)
        explanation = overview("A baker carries two umbrellas.", of=model, step=1, open=block)
        return explanation, said_in(drawn(tab))

    other = {"activation": "gelu", "positions": "learned", "embedding_norm": True, "scaled_embeddings": False}
    explanation, said = shown("embedding", n_decoder_layers=3, **other)
    check_streams(tab, explanation, {"encoder": 2, "decoder": 3})
    row, position, summed = (explanation.trace.array(f"target.{site}")[1, 0] for site in ("lookup", "positions", "summed"))
    assert four_digits(row) in said and four_digits(position) in said and f"= {four_digits(summed)}" in said
    assert "LayerNorm" in said and "√d" not in said and "then normalized" in said
    tab.evaluate("store.set({ open: 'ffn' })")
    said = said_in(drawn(tab))
    assert "GELU" in said and "ReLU" not in said
    _, said = shown("softmax", tied_generator=False, decoder_final_norm=True)
    assert "output matrix U" in said and "embedding table" not in said and "LayerNorm" in said
    tab.evaluate("store.set({ open: 'memory' })")
    assert "LayerNorm" not in said_in(drawn(tab)), "this stack ends without one"


def four_digits(value: float) -> str:
    return number(float(value)).replace("-", "−")


def said_in(svg: ET.Element) -> str:
    return " ".join(words for words, *_ in texts(svg))


def test_what_is_pointed_at_is_read_out_until_it_is_no_more(tab: Page, overview: Overview) -> None:
    explanation = overview(step=3, layer=1, head=2, open="masked_out")
    box = tab.locator(".lens-picture").bounding_box()
    assert box

    def point(words: str, right: float, down: float) -> None:
        x, y = next((x, y) for said, x, y in texts(drawn(tab)) if said.startswith(words))
        tab.mouse.move(box["x"] + x + right, box["y"] + y + down)

    point("8 mixes", 2, 12)
    mix = explanation.trace.attention("masked", 1).mix[0, 3, 0]
    said = f"Number 1 of 256 in 8 mixes side by side: ≈ {mix:.2f}.".replace("-", "−")  # they travel with three digits
    expect(tab.locator(".reading")).to_contain_text(said)
    for left in ("masked", ""):  # a vector's way back leads through the attention
        tab.keyboard.press("Escape")
        assert tab.evaluate("store.view.open") == left

    tab.evaluate("store.set({ open: 'ffn' })")
    point("1,024", 90, 90)
    expect(tab.locator(".reading")).to_contain_text("of 1,024 in")
    tab.evaluate("store.set({ open: 'cross' })")
    lane = {words: y for words, x, y in texts(drawn(tab)) if x < 240 and words}
    tab.mouse.move(box["x"] + 160, box["y"] + lane["cat"] - 6)
    key = explanation.source.labels.index("cat")
    keys = [path for path in drawn(tab).iter(f"{NAME}path") if path.get("stroke") == LIGHT.k]
    assert float(keys[key].get("stroke-width") or 0) == 4
    expect(tab.locator(".reading")).to_contain_text("«cat»")


def test_an_operation_is_held_where_the_pointer_is_and_says_the_cell_that_is_being_computed(tab: Page, overview: Overview) -> None:
    explanation = overview(step=3, layer=2, head=4, open="cross", stage="softmax", still=False)
    pictures = []
    for scrub in (0.3, 0.6, 0.3):
        tab.evaluate("scrub => store.set({ stage: 'scores', scrub })", scrub)
        tab.evaluate(FRAME)
        pictures.append(tab.evaluate(PICTURE))
    assert pictures[0] == pictures[2] != pictures[1]

    seen = set()
    for scrub in (0.05, 0.3, 0.37, 0.6):
        tab.evaluate("scrub => store.set({ stage: 'scaled', scrub })", scrub)
        svg = drawn(tab)
        asked = [text.text for text in svg.iter(f"{NAME}text") if text.get("transform") and text.get("fill") == LIGHT.k_text]
        assert len(asked) == 1
        expect(tab.locator(".reading")).to_contain_text(f"· «{asked[0]}»: q·k ÷")
        seen.add(asked[0])
    assert len(seen) > 2

    tab.evaluate("store.set({ predict: 'source' })")  # a row that is to be guessed is not computed before the eyes
    for scrub in (0.3, 0.6):
        tab.evaluate("scrub => store.set({ stage: 'scores', scrub })", scrub)
        shown = tab.evaluate("() => { const svg = part.svg(); return [svg, document.querySelector('.reading').textContent]; }")
        for score in explanation.trace.attention("cross", 2).scores[4, 3]:
            assert f"Σ = {four_digits(score)}" not in shown[0] and four_digits(score) not in shown[1]


PICTURE = "document.querySelector('.lens-picture').toDataURL()"


HOLD = "() => { window.began = window.at = Math.ceil(performance.now()); performance.now = () => at; }"
"""Stops the clock of what moves."""
FLOW_RIBBONS = """kind => {
  const scroller = document.querySelector(".scroller"), top = scroller.offsetTop - scroller.scrollTop;
  return [...document.querySelectorAll(`.ribbons.${kind} path`)].map((path) => {
    const seen = getComputedStyle(path.parentNode).opacity * getComputedStyle(path).fillOpacity;
    const apart = path.closest(".rows > g").transform.baseVal[0].matrix.f; // each side scrolls by itself
    return [path.getAttribute("d"), top + apart, seen, +path.dataset.query, +path.dataset.key];
  });
}"""
RIBBON = re.compile(r"M\S+ \S+C[^A-Z]+V[^A-Z]+C[^A-Z]+Z")
MOVE = 380  # ms, as in lens.js
DOWN = {1, 3, 5, 7, 8, 10, 12, 14}  # of an outline's numbers those that count from the top


def numbers_of(outline: str) -> Numbers:
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", outline)]


def held(tab: Page, block: str) -> None:
    """A block at the very beginning of the movement in which it opens."""
    tab.evaluate(HOLD)
    tab.evaluate("open => store.set({ open })", block)
    tab.evaluate(FRAME)


def ribbons_at(tab: Page, share: float) -> list[tuple[Numbers, float]]:
    """The numbers of each ribbon's outline, and how much of it is seen, at a share of the movement that is held."""
    tab.evaluate("ms => { window.at = began + ms; }", share * MOVE)
    ribbons = [path for path in drawn(tab).iter(f"{NAME}path") if RIBBON.fullmatch(path.get("d") or "")]
    return [(numbers_of(path.get("d") or ""), float(path.get("opacity") or 1)) for path in ribbons]


def centre(outline: Numbers) -> tuple[float, float]:
    """Of a ribbon that is level, and so a rectangle."""
    x, top, *_ = outline
    end, bottom = outline[6], outline[8]
    assert outline[1] == outline[7] and bottom == outline[-1], outline
    return (x + end) / 2, (top + bottom) / 2


@pytest.mark.parametrize("kind", ["masked", "cross"])
def test_ribbons_leave_the_flow_and_arrive_in_their_cells(tab: Page, overview: Overview, kind: str) -> None:
    overview(TWELVE, width=1500, step=8, layer=1, head=3, still=False)
    flow = tab.evaluate(FLOW_RIBBONS, kind)
    held(tab, kind)
    left = ribbons_at(tab, 0.03)
    assert len(left) == len(flow) > 10
    for (outline, seen), (path, top, was, *_) in zip(left, flow, strict=True):
        assert seen == pytest.approx(was, abs=0.006)
        for at, (one, other) in enumerate(zip(outline, numbers_of(path), strict=True)):
            assert one == pytest.approx(other + top * (at in DOWN), abs=0.11)
    assert len(ribbons_at(tab, 0.5)) == len(flow)
    assert not printed(tab), "no number before its cell is there"
    arrived = sorted(centre(outline) for outline, _ in ribbons_at(tab, 0.82))
    assert not ribbons_at(tab, 1)
    assert printed(tab)
    svg = drawn(tab)
    rows = [line[7] for line in paths(svg, stroke=LIGHT.q) if len(line) == 9]
    down = [line[-3] for line in paths(svg, stroke=LIGHT.k) if len(line) > 10]
    there = sorted((down[key], rows[query]) for *_, query, key in flow)
    for cell, place in zip(arrived, there, strict=True):
        assert cell == pytest.approx(place, abs=0.21), "its row is the query's, its column the key's"


def printed(tab: Page) -> list[str]:
    """The numbers in the cells of a matrix, left of the hidden units."""
    return [words for words, x, _ in texts(drawn(tab)) if 330 < x < 700 and re.fullmatch(r"\d+(\.\d)?|>99", words)]


def test_no_ribbon_of_what_is_to_be_guessed_travels(tab: Page, overview: Overview) -> None:
    overview(TWELVE, width=1500, step=5, layer=1, head=3, still=False, predict="source")
    seen = [one for one in tab.evaluate(FLOW_RIBBONS, "cross") if one[3] != 5]
    held(tab, "cross")
    assert [len(ribbons_at(tab, share)) for share in (0.03, 0.4, 0.7, 0.82)] == [len(seen)] * 4


def test_it_closes_as_it_opens_and_turns_back_half_way(tab: Page, overview: Overview) -> None:
    overview(TWELVE, width=1500, step=5, layer=1, head=3, still=False)
    held(tab, "masked")
    opening = {}
    for share in (0.25, 0.5, 0.75):
        ribbons_at(tab, share)
        opening[share] = tab.evaluate(PICTURE)
    assert len(set(opening.values())) == 3
    tab.keyboard.press("Escape")
    for share in (0.75, 0.5, 0.25):  # the clock goes on, the picture back
        tab.evaluate(FRAME)
        assert tab.evaluate(PICTURE) == opening[share], share
        tab.evaluate("window.at += 95")


def test_keys_pressed_while_it_opens_count(tab: Page, overview: Overview) -> None:
    overview(TWELVE, width=1500, step=5, layer=1, head=3, still=False)
    held(tab, "cross")
    ribbons_at(tab, 0.3)
    for key in ("ArrowRight", "]", "ArrowRight"):
        tab.keyboard.press(key)
    assert tab.evaluate("[store.view.step, store.view.head]") == [7, 4]
    now = len(ribbons_at(tab, 0.5))
    assert not ribbons_at(tab, 3)  # the written token has flown, too
    there = tab.evaluate("part.svg()")
    tab.evaluate("() => { store.theme = { ...store.theme, still: true }; store.set({ open: '' }); store.set({ open: 'cross' }); }")
    tab.evaluate(FRAME)
    assert tab.evaluate("part.svg()") == there, "of the step and the head that the keys chose"
    tab.evaluate("store.set({ open: '' })")
    tab.evaluate(FRAME)
    assert now == len(tab.evaluate(FLOW_RIBBONS, "cross"))


def test_a_stage_moves_one_row_and_a_key_finishes_it(tab: Page, overview: Overview) -> None:
    overview(step=3, layer=2, head=4, open="cross", stage="scores", still=False, speed=0.25)

    def picture(ms: int) -> str:
        tab.evaluate("ms => { window.at += ms; }", ms)
        tab.evaluate(FRAME)
        return str(tab.evaluate(PICTURE))

    tab.evaluate(HOLD)
    picture(5000)
    tab.evaluate("store.set({ stage: 'scaled' })")
    picture(0)
    assert picture(200) != picture(200)
    for key in "[]":  # another head: what moved is there
        tab.keyboard.press(key)
    assert picture(0) == picture(300)
    tab.evaluate("() => { store.theme = { ...store.theme, still: true }; store.set({ stage: 'mask' }); }")
    assert picture(0) == picture(200)


SHOWN = """async (view) => {
  window.first ??= { ...store.view };
  document.querySelector("body > svg")?.remove();
  store.set({ ...first, ...view });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const picture = part.svg();
  const { documentElement: svg } = new DOMParser().parseFromString(picture, "image/svg+xml");
  document.body.append(svg);
  return picture;
}"""
"""Puts the picture of a view below the page, in place of the last one."""


VIEWS: list[dict[str, object]] = [
    {}, {"cell": [3, 4]}, {"stage": "mix"}, {"show": "layer"}, {"form": "neurons"}, {"form": "lines"}, {"open": "cross_qkv"},
    {"open": "masked_out"}, {"open": "ffn"}, {"open": "embedding"}, {"open": "memory"}, {"open": "softmax"},
]  # fmt: skip


@pytest.mark.parametrize(("text", "width"), [("The cat is sleeping on the sofa.", 905), (LONG, 1132)], ids=["short", "long"])
def test_no_two_words_overlap(tab: Page, overview: Overview, text: str, width: int) -> None:
    overview(text, width=width, step=3, layer=2, head=4, open="cross")
    pictures, found = set(), []
    for view in VIEWS:
        pictures.add(ET.canonicalize(tab.evaluate(SHOWN, view)))
        found += [f"{view}: {fault}" for fault in tab.evaluate(TEXT_BOXES)]
    assert not found, "\n".join(found)
    assert len(pictures) == len(VIEWS)
