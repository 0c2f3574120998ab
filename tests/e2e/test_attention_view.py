"""The stage in a real browser: which way round it is, what it reads aloud, zoom, lock, play, and that typed text stays text."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from viz_core.browser.attention_payload import attention_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.base import percent
from viz_core.figures.palette import LIGHT
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
HOSTILE = "</script><b>x</b>"
Mount = Callable[..., Page]


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, f"The otter {HOSTILE} hides.", "Der Otter bemalt die Karte.")


SWEEP = """(wanted) => {
    const [canvas, reading] = ["canvas.picture", ".reading"].map((each) => document.querySelector(each));
    const { left, top, right, bottom } = canvas.getBoundingClientRect();
    for (let clientY = top + 60; clientY < bottom; clientY += 14) {
        for (let clientX = left + 60; clientX < right; clientX += 14) {
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
            if (new RegExp(wanted).test(reading.innerText)) return [clientX, clientY];
        }
    }
    return null;
}"""
"""Moves the pointer over the canvas until a cell is read whose words match."""


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


def row_label(explained: Explanation, step: int) -> str:
    """A row of the decoder: the token that it reads and the one that it writes."""
    return f"{explained.target.labels[step]} → {explained.output[step].label}"


def find(tab: Page, query: str, key: str) -> tuple[float, float]:
    """Where on the canvas the pointer meets a cell."""
    found = tab.evaluate(SWEEP, rf"«{re.escape(query)}» .*«{re.escape(key)}»")
    if not found:
        pytest.fail(f"no cell reads {query!r} → {key!r}")
    tab.mouse.move(*found)
    return found[0], found[1]


def test_hover_previews_a_click_locks_and_a_second_one_unlocks(mount: Mount, explained: Explanation) -> None:
    weights = explained.trace.attention("cross", 1).weights[:, :6, 1]
    head = next(head for head, column in enumerate(weights) if column.argmax() in (3, 4))
    tab = mount("cross", step=5, layer=1, head=head)
    row = row_label(explained, 2)
    x, y = find(tab, row, explained.source.labels[1])
    assert look(tab)["cell"] is None
    says_locked = tab.get_by_text("This cell is locked.")
    assert not says_locked.is_visible()
    tab.mouse.click(x, y)
    assert look(tab)["cell"] == [2, 1]
    assert says_locked.is_visible()
    tab.mouse.move(2, 2)
    assert row in tab.locator(".reading").inner_text()
    tab.mouse.click(x, y)
    assert look(tab)["cell"] is None
    assert not says_locked.is_visible()
    read: set[str] = set()
    for up in range(0, 160, 6):  # to the name of the column, and beyond
        tab.mouse.move(x, y - up)
        read |= set(re.findall(rf"«(.*)» gives .*«{explained.source.labels[1]}»", tab.locator(".reading").inner_text()))
    assert read == {row_label(explained, row) for row in (0, 1, 2, 5)}, "below the name stands the row of this step"
    tab.mouse.move(x, y)
    assert f"«{row_label(explained, 1)}» gives" in set_(tab, step=1), "the row under the pointer is no more"
    tab.mouse.move(x, y - 1)
    assert (tab.locator("canvas.picture").get_attribute("title") or "").startswith("A later step")


def test_what_is_masked_or_not_written_cannot_be_chosen(mount: Mount) -> None:
    tab = mount("masked", step=2)
    assert [tab.get_by_label(side).locator("option").count() for side in ("Query", "Key")] == [3, 3]
    assert "cannot attend" in set_(tab, stage="mask", cell=[1, 2])
    assert "−∞" in tab.locator("table.lines").inner_text()


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


def test_what_is_to_be_guessed_cannot_be_read(mount: Mount, explained: Explanation) -> None:
    tab = mount("cross", step=3, predict="source")
    assert "%" not in tab.locator(".reading").inner_text()
    expect(tab.locator("aside.side")).to_be_hidden()
    assert "%</text>" not in tab.evaluate("part.svg().split('100 %').join('').split('0 %').join('')")
    assert "%" in set_(tab, revealed=True)
    expect(tab.locator("aside.side")).to_be_visible()
    covered = [list(bytes.fromhex(LIGHT.panel[1:]))] * len(explained.source)
    rows = colours(tab, len(explained.target))
    assert rows[3] != covered
    assert rows[4:] == [covered] * (len(explained.target) - 4), "one answer gives no later one away"


def test_typed_markup_is_text_on_the_page_and_in_the_drawing(mount: Mount) -> None:
    tab = mount("self", layer=0)
    assert tab.locator("b").count() == 0
    for view in ({"show": "one"}, {"show": "layer"}, {"show": "model", "form": "lines"}, {"show": "one", "form": "lines"}):
        set_(tab, **view)
        drawing = ET.fromstring(tab.evaluate("part.svg()"))
        assert drawing.find(".//{*}b") is None and drawing.find(".//{*}script") is None
    assert any("<" in (text.text or "") for text in drawing.iter("{http://www.w3.org/2000/svg}text"))


def test_a_file_names_its_sentence_and_what_is_edited_but_no_later_word(mount: Mount) -> None:
    tab = mount("self", step=1)
    limits = {"source": f"The {HOSTILE}.", "written": ["Der ", "Otter ", "malt"], "edited": "Edited: all of it."}
    tab.evaluate("limits => Object.assign(store.limits, limits)", limits)
    with tab.expect_download() as heard:
        tab.evaluate("code.saveSvg(store.picture, store)")
    drawing = ET.parse(heard.value.path()).getroot()
    assert [words for part in drawing.iter() if (words := part.get("aria-label"))][-2:] == [
        f"The {HOSTILE}. → Der Otter …",
        limits["edited"],
    ]
    assert drawing.get("viewBox") == f"0 0 {drawing.get('width')} {drawing.get('height')}"


PRINTED = """() => new Promise((done) => {
    const found = [], write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        if (this.canvas.className === "picture") found.push([text, parseFloat(this.font.match(/([\\d.]+)px/)[1])]);
        return write.call(this, text, ...at);
    };
    store.repaint();
    requestAnimationFrame(() => requestAnimationFrame(() => { CanvasRenderingContext2D.prototype.fillText = write; done(found); }));
})"""


def test_a_long_sentence_on_stage_has_its_numbers_large_enough(mount: Mount, explained: Explanation) -> None:
    weights = explained.trace.attention("self", 1).weights[2]
    assert len(weights) >= 13
    tab = mount("self", layer=1, head=2, lecture=True)
    tab.set_viewport_size({"width": 1600, "height": 480})  # not much higher than what 720 leave below the strip
    look(tab)
    sizes = dict(tab.evaluate(PRINTED))
    assert {f"{100 * weight:.{int(weight < 0.0995)}f}" for weight in weights[0] if weight >= 0.005} <= set(sizes)
    assert min(sizes.values()) >= 18


def test_what_scrolls_follows_the_step_and_says_what_is_out_of_sight(tab: Page, checkpoint: Checkpoint) -> None:
    long = explain(checkpoint, "An otter swims. " * 3, "Ein Otter schwimmt. " * 7)
    payload, last = attention_payload(long, "cross"), len(long.output) - 1
    bare.mount(tab, "attention_view", payload, long, {"step": 0}, page="cross_attention", predict="", stages=True)
    look(tab)
    assert any(re.fullmatch(rf"rows 1–\d+ of {last + 1} ↓", words) for words, _ in tab.evaluate(PRINTED))
    set_(tab, step=last)
    printed = [words for words, _ in tab.evaluate(PRINTED)]
    assert any(re.fullmatch(rf"↑ rows \d+–{last + 1} of {last + 1}", words) for words in printed)
    assert any(words.endswith(f"→ {long.output[-1].label}") for words in printed)
    tab.set_viewport_size({"width": 390, "height": 844})
    columns = len(long.source)
    assert any(re.search(rf"columns \d+–\d+ of {columns}", words) for words, _ in tab.evaluate(PRINTED))
    hidden = "(node) => [node.scrollHeight - node.clientHeight, node.scrollWidth > node.clientWidth]"
    assert tab.locator(".scroll").evaluate(hidden) == [0, True], "down, a phone scrolls its page"


def test_a_saved_picture_is_of_the_sentence_that_is_shown(tab: Page, shipped: Checkpoint) -> None:
    """Both have as many tokens, so that nothing but the numbers tells them apart."""
    first, second = (explain(shipped, text) for text in ("The tall nurse paints a kettle.", "The tall nurse hides a kettle."))
    assert len(first.source) == len(second.source)
    ends = [np.ceil(np.abs(ex.trace.attention("self", 2).scores).max((1, 2)) / 5) for ex in (first, second)]  # of the colours
    head = int((ends[0] == ends[1]).argmax())
    assert ends[0][head] == ends[1][head]
    bare.mount(
        tab,
        "attention_view",
        attention_payload(first, "self"),
        first,
        {"layer": 2, "head": head},
        page="self_attention",
        stages=True,
    )
    tab.evaluate("part.svg()")
    tab.evaluate("(payload) => part.update(core.bytesOf(payload))", bare.sent(attention_payload(second, "self")))
    bare.frame(tab)
    weights = second.trace.attention("self", 2).weights[head].ravel()
    wanted = [f"{100 * value:.0f}" for value in weights if 0.0995 <= value < 0.995]
    texts = [each.text or "" for each in ET.fromstring(tab.evaluate("part.svg()")).iter("{http://www.w3.org/2000/svg}text")]
    assert len(wanted) > 4
    assert [text for text in texts if re.fullmatch(r"[1-9]\d", text)][: len(wanted)] == wanted


DRAWN = """(name) => new Promise((done) => {
    const found = { lines: [], texts: [], frames: [], pictures: [] };
    const context = CanvasRenderingContext2D.prototype;
    const { stroke, fillText, strokeRect, drawImage } = context;
    const hear = (own, note) => function (...given) {
        if (this.canvas.className === name) note(this, given);
        return own.apply(this, given);
    };
    context.stroke = hear(stroke, (at) => found.lines.push([at.lineWidth, at.globalAlpha]));
    context.fillText = hear(fillText, (at, [text]) => found.texts.push([text, parseFloat(at.font.match(/([\\d.]+)px/)[1])]));
    context.strokeRect = hear(strokeRect, (at, box) => found.frames.push([at.lineWidth, ...box]));
    context.drawImage = hear(drawImage, (at, [, ...boxes]) => found.pictures.push(boxes));
    store.repaint();
    requestAnimationFrame(() => requestAnimationFrame(() => {
        Object.assign(context, { stroke, fillText, strokeRect, drawImage });
        done(found);
    }));
})"""
"""What is drawn on the canvas of a class: lines (width, opacity), texts (with their size), frames (line width, box) and bitmaps."""
PIXELS = """(points) => {
    const canvas = document.querySelector("canvas.picture");
    const sharp = canvas.width / parseFloat(canvas.style.width);
    const of = ([x, y]) => [...canvas.getContext("2d").getImageData(Math.round(x * sharp), Math.round(y * sharp), 1, 1).data];
    return points.map((point) => of(point).slice(0, 3));
}"""
"""The colours of points of the picture."""
TIP = re.compile(r"«(.*)» → «(.*)» (\d.* %|masked)")


def colours(tab: Page, rows: int) -> list[list[list[int]]]:
    """The colour of each cell of the first bitmaps, so many rows, in the middle of the cell."""
    points: list[tuple[float, float]] = []
    columns = 0
    for _, first, columns, count, x, y, w, h in tab.evaluate(DRAWN, "picture")["pictures"]:
        if first + count > rows or len(points) >= rows * columns:
            break
        cells = ((row, column) for row in range(count) for column in range(columns))
        points += [(x + (column + 0.5) * w / columns, y + (row + 0.5) * h / count) for row, column in cells]
    found = tab.evaluate(PIXELS, points)
    return [found[at : at + columns] for at in range(0, len(found), columns)]


def tips(tab: Page, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[str, dict[str, Any]]]:
    """What stands beside the pointer on these cells of each bitmap that begins with the first row, and what else is drawn then."""
    found = []
    box = tab.locator("canvas.picture").bounding_box()
    assert box is not None
    zoom = tab.evaluate("() => parseFloat(document.querySelector('#root').style.zoom || 1)")
    pictures = [picture for picture in tab.evaluate(DRAWN, "picture")["pictures"] if picture[1] == 0]
    for _, _, across, down, x, y, w, h in pictures:
        for row, column in ((row, column) for row in rows for column in columns):
            place = x + (column + 0.5) * w / across, y + (row + 0.5) * h / down
            tab.mouse.move(box["x"] + place[0] * zoom, box["y"] + place[1] * zoom)
            drawn = tab.evaluate(DRAWN, "picture")
            found += [(text, drawn) for text, _ in drawn["texts"] if TIP.fullmatch(text)]
    return found


@pytest.mark.parametrize("show", ["layer", "model"])
def test_a_grid_names_its_outer_rows_and_columns(mount: Mount, explained: Explanation, show: str) -> None:
    tab = mount("cross", step=4, show=show)
    ends = {explained.source.labels[0], explained.source.labels[-1], row_label(explained, len(explained.output) - 1)}
    for form in ("matrix", "lines"):
        set_(tab, form=form)
        sizes = dict(tab.evaluate(PRINTED))
        assert ends | {row_label(explained, 4)} <= set(sizes)
        assert min(sizes.values()) >= 16
    set_(tab, form="matrix", predict="word")
    assert not {explained.output[4].label, explained.target.labels[5]} & {
        part for words, _ in tab.evaluate(PRINTED) for part in words.split(" → ")
    }
    masked = mount("masked", step=2, show=show)
    printed = [words for words, _ in masked.evaluate(PRINTED)]
    assert explained.target.labels[2] in printed and explained.target.labels[-1] not in printed


@pytest.mark.parametrize("show", ["layer", "model"])
def test_the_cell_under_the_pointer_says_its_words_beside_it(mount: Mount, explained: Explanation, show: str) -> None:
    tab = mount("cross", step=6, show=show)
    query, key = 2, 1
    find(tab, row_label(explained, query), explained.source.labels[key])
    weight = percent(float(explained.trace.attention("cross", 0).weights[0, query, key]))
    sizes = dict(tab.evaluate(DRAWN, "picture")["texts"])
    assert sizes[f"«{explained.target.labels[query]}» → «{explained.source.labels[key]}» {weight}"] >= 16
    rows = [0, 6] if show == "layer" else [3]
    found = tips(tab, rows, [0, len(explained.source) - 1])
    heads = explained.trace.config.n_heads * (1 if show == "layer" else explained.trace.config.n_layers)
    assert len(found) == heads * len(rows) * 2
    width, height = tab.evaluate("['width', 'height'].map((side) => parseFloat(document.querySelector('.picture').style[side]))")
    for _, drawn in found:
        (tip,) = [box for line, *box in drawn["frames"] if line == 1.5]
        cell = [box for line, *box in drawn["frames"] if line == 3][-1]
        (left, top, wide, high), (x, y, w, h) = tip, cell
        assert left >= x + w or x >= left + wide or top >= y + h or y >= top + high
        assert left >= 0 and left + wide <= width and top >= 0 and top + high <= height
