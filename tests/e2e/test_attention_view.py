"""The stage in a real browser: the pointer, zoom, what a file says, and that typed text stays text. Its words: tests/web."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.conftest import HOSTILE
from viz_core.app.markup import number
from viz_core.browser.attention_payload import attention_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
SVG = "{http://www.w3.org/2000/svg}"
Mount = Callable[..., Page]


@pytest.fixture
def mount(tab: Page, explained: Explanation) -> Mount:
    """Shows one attention."""

    def mounted(kind: Kind, **view: Any) -> Page:
        place: dict[str, Any] = {"page": f"{kind}_attention", "predict": "source", "stages": True}
        bare.mount(tab, "attention_view", attention_payload(explained, kind), explained, view, **place)
        return tab

    return mounted


def look(tab: Page) -> dict[str, Any]:
    """What the store holds, once it is painted."""
    bare.frame(tab)
    return tab.evaluate("store.view")


def set_(tab: Page, **view: Any) -> str:
    """Changes the view; what is then read aloud."""
    tab.evaluate("view => store.set(view)", view)
    look(tab)
    return tab.locator(".reading").inner_text()


def cell(tab: Page, row: int, column: int, x: str = "x", height: str = "ch") -> tuple[float, float]:
    """Where on the page the middle of a cell stands; of what begins at `x` and has such rows."""
    size = tab.locator("canvas.picture").bounding_box()
    assert size is not None
    box = {"x": 0, "y": 0, "w": size["width"], "h": size["height"]}
    at = tab.evaluate("box => code.compose(code.readAttention(bytes), store.view, store.theme, box, false).layout", box)
    return size["x"] + at[x] + (column + 0.5) * at["cw"], size["y"] + at["y"] + (row + 0.5) * at[height]


def test_hover_previews_a_click_locks_and_a_second_one_unlocks(mount: Mount, explained: Explanation) -> None:
    tab = mount("cross", step=5, layer=1, head=2)
    said = f"«{explained.target.labels[2]} → {explained.output[2].label}» gives"
    place = cell(tab, 2, 1)
    tab.mouse.move(*place)
    reading, says_locked = tab.locator(".reading"), tab.get_by_text("This cell is locked.")
    expect(reading).to_contain_text(said)
    expect(reading).to_contain_text(f"«{explained.source.labels[1]}»")
    for locked in ([2, 1], None):
        tab.mouse.click(*place)
        assert look(tab)["cell"] == locked
        assert says_locked.is_visible() is bool(locked)
        tab.mouse.move(2, 2)
        assert (said in reading.inner_text()) is bool(locked)
        tab.mouse.move(*place)
    assert said not in set_(tab, step=1), "the row under the pointer is no more"
    tab.mouse.move(place[0], place[1] - 1)
    expect(tab.locator("canvas.picture")).to_have_attribute("title", re.compile("^A later step"))
    masked = mount("masked", step=2)
    assert [masked.get_by_label(side).locator("option").count() for side in ("Query", "Key")] == [3, 3], "what is written"
    assert "cannot attend" in set_(masked, stage="mask", cell=[1, 2])


def test_a_click_on_a_thumbnail_zooms_in_and_escape_zooms_out(mount: Mount, explained: Explanation) -> None:
    tab = mount("self", show="model")
    box = tab.locator("canvas.picture").bounding_box()
    assert box is not None
    tab.mouse.click(box["x"] + box["width"] - 40, box["y"] + box["height"] - 80)
    view, config = look(tab), explained.trace.config
    assert (view["show"], view["layer"], view["head"]) == ("one", config.n_layers - 1, config.n_heads - 1)
    set_(tab, lecture=True)
    for outer, lecture in (("layer", True), ("model", True), ("model", False), ("model", False)):
        tab.keyboard.press("Escape")
        assert (look(tab)["show"], look(tab)["lecture"]) == (outer, lecture)


def test_what_is_to_be_guessed_is_neither_read_nor_drawn_nor_listed(mount: Mount) -> None:
    tab = mount("cross", step=3, predict="source")
    assert "%" not in tab.locator(".reading").inner_text()
    expect(tab.locator("aside.side")).to_be_hidden()
    assert "%</text>" not in tab.evaluate("part.svg().split('100 %').join('').split('0 %').join('')")
    assert "%" in set_(tab, revealed=True)
    expect(tab.locator("aside.side")).to_be_visible()


def test_typed_markup_is_text_and_a_file_names_its_sentence_and_what_is_edited_but_no_later_word(mount: Mount) -> None:
    tab = mount("self", step=1, layer=0)
    assert tab.locator("b").count() == 0
    for view in ({"show": "model"}, {"show": "one", "form": "lines"}):
        set_(tab, **view)
        drawing = ET.fromstring(tab.evaluate("part.svg()"))
        assert drawing.find(".//{*}b") is None and drawing.find(".//{*}script") is None
    assert any("<" in (text.text or "") for text in drawing.iter(f"{SVG}text"))
    limits = {"source": f"The {HOSTILE}.", "written": ["Der ", "Otter ", "malt"], "edited": "Edited: all of it."}
    tab.evaluate("limits => Object.assign(store.limits, limits)", limits)
    with tab.expect_download() as heard:
        tab.evaluate("code.saveSvg(store.picture, store)")
    drawing = ET.parse(heard.value.path()).getroot()
    named = [words for part in drawing.iter() if (words := part.get("aria-label"))]
    assert named[-2:] == [f"The {HOSTILE}. → Der Otter …", limits["edited"]]


def printed(value: float) -> str:
    return number(float(value)).replace("-", "−")


def test_a_neuron_says_its_numbers_and_a_click_locks_its_key(mount: Mount, explained: Explanation) -> None:
    head, query, key, dimension = 3, 3, 2, 5
    tab = mount("masked", form="neurons", layer=0, head=head, step=query)
    block, labels = explained.trace.attention("masked", 0), explained.target.labels
    q, k = float(block.q[head, query, dimension]), float(block.k[head, key, dimension])
    place = cell(tab, key, dimension, x="products", height="step")
    tab.mouse.move(*place)
    numbers = f"q = {printed(q)}, k = {printed(k)}, q × k = {printed(q * k)}"
    row = f"{labels[query]} → {explained.output[query].label}"
    expect(tab.locator(".reading")).to_have_text(f"dimension {dimension + 1}: {numbers}, «{row}» · «{labels[key]}»")
    tab.mouse.click(*place)
    assert look(tab)["cell"] == [query, key]
    set_(tab, step=4, cell=None)
    assert f"q of «{labels[4]} → {explained.output[4].label}»" in bare.texts(tab)


def test_the_query_of_the_neurons_is_chosen(mount: Mount, explained: Explanation) -> None:
    tab, labels = mount("self", form="neurons"), explained.source.labels
    weights = explained.trace.attention("self", 0).weights[0]
    tab.get_by_role("button", name="Next query").click()
    assert look(tab)["cell"] == [1, int(weights[1].argmax())]
    tab.get_by_role("combobox", name="Query").select_option(index=3)
    assert look(tab)["cell"] == [3, int(weights[3].argmax())]
    assert f"q of «{labels[3]}»" in bare.texts(tab)
    set_(tab, show="mean")
    expect(tab.get_by_role("button", name="Neurons")).to_be_disabled()


def test_a_saved_picture_is_of_the_sentence_that_is_shown(tab: Page, shipped: Checkpoint) -> None:
    """Both have as many tokens, so that nothing but the numbers tells them apart."""
    first, second = (explain(shipped, text) for text in ("The tall nurse paints a kettle.", "The tall nurse hides a kettle."))
    assert len(first.source) == len(second.source)
    sent = attention_payload(first, "self"), attention_payload(second, "self")
    bare.mount(tab, "attention_view", sent[0], first, {"layer": 2, "head": 1}, page="self_attention", stages=True)
    tab.evaluate("part.svg()")
    tab.evaluate("(payload) => part.update(core.bytesOf(payload))", bare.sent(sent[1]))
    bare.frame(tab)
    weights = second.trace.attention("self", 2).weights[1].ravel()
    wanted = [f"{100 * value:.0f}" for value in weights if 0.0995 <= value < 0.995]
    assert len(wanted) > 4
    assert [text for text in bare.texts(tab) if re.fullmatch(r"[1-9]\d", text)][: len(wanted)] == wanted
