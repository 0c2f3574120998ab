"""The figure of the residual stream in a real browser: the picked token's numbers, its axes, and what leaves them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.residual.stream import stream_payload
from tests.e2e import bare
from tests.e2e.driving import follows, open_at
from viz_core import Explanation, explain
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.texts import texts

pytestmark = pytest.mark.e2e
SHOWN = """view => {
  const stream = code.readStream(bytes);
  const { own, read, at, beyond } = code.streamAt(stream, { token: 0, step: 0, layer: 0, sublayer: stream.sublayer, ...view });
  return { ends: own.ends, count: read.length, place: at, beyond };
}"""
STOPS = [("input", None), ("attention", 0), ("feed-fwd", 0), ("attention", 1), ("feed-fwd", 1), ("end", None)]


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints <b>the</b> map.")


def drawn(tab: Page) -> list[str]:
    """The texts of the figure, in the order of drawing."""
    parsed = 'new DOMParser().parseFromString(part.svg(), "image/svg+xml")'
    found: list[str] = tab.evaluate(f"() => [...{parsed}.querySelectorAll('text')].map((text) => text.textContent)")
    return found


def made(lengths: Any, added: Any, tokens: list[str]) -> bytes:
    """A payload with these numbers, (6, T)."""
    about = {
        "stack": "encoder",
        "stops": [{"name": name, "layer": layer} for name, layer in STOPS],
        "sublayers": ["", "attn", "ffn", "attn", "ffn", ""],
        "sublayer": "attn",
        "tokens": tokens,
        "texts": texts("residual.lengths"),
    }
    return pack({"lengths": np.asarray(lengths, np.float32), "added": np.asarray(added, np.float32)}, about)


def test_the_picked_token_has_its_numbers_and_the_decoder_only_what_it_has_read(tab: Page, explained: Explanation) -> None:
    payload = stream_payload(explained, "decoder", "cross_attn")
    bare.mount(tab, "residual_stream", payload, explained, {"step": 2, "layer": 1}, page="residual")
    trace = explained.trace
    own = [np.linalg.norm(trace.array("decoder.1.cross_attn.out")[2]), np.linalg.norm(trace.array("decoder.1.resid_cross_attn")[2])]
    assert [f"{value:.2f}" in tab.locator(".reading").inner_text() for value in own] == [True, True]
    expect(tab.locator(".lead")).to_contain_text(f"«{explained.target.labels[2]}»")
    assert tab.evaluate(SHOWN, {"step": 2, "layer": 1})["count"] == 3
    before = drawn(tab)
    tab.keyboard.press("ArrowRight")
    bare.frame(tab)
    expect(tab.locator(".lead")).to_contain_text(f"«{explained.target.labels[3]}»")
    assert drawn(tab) != before
    assert tab.evaluate("messages.filter(([name]) => name !== 'view')") == []


def test_the_axes_end_above_the_picked_token_and_a_note_names_those_that_leave(tab: Page, explained: Explanation) -> None:
    """⟨/s⟩ grows to 512 and its largest addition to 200: neither may flatten the curve and the bars of the picked token."""
    lengths, added = np.tile([[20.0, 24.0, 512.0, 90.4, 91.0, 300.0]], (6, 1)), np.full((6, 6), 10.0)
    lengths[2, 0], added[:, 2], added[[0, -1]] = 50.0, 200.0, np.nan
    payload = made(lengths, added, ["cat", "sat", "⟨/s⟩", "<b>", "x", "."])
    bare.mount(tab, "residual_stream", payload, explained, {"layer": 1}, page="self_attention")
    shown = tab.evaluate(SHOWN, {"layer": 1})
    assert 50 * 1.1 <= shown["ends"]["lengths"] <= 50 * 1.6 and 10 * 1.1 <= shown["ends"]["added"] <= 10 * 1.6
    note = "Beyond the axis: «⟨/s⟩», up to 512; «.», up to 300; «x», up to 91; 1 more, up to 90"
    assert shown["place"] == 3 and shown["beyond"] == note
    said = drawn(tab)
    assert note in said and {"length ‖x‖", "added", "layer 1", "layer 2"} <= set(said)
    assert [text for text in said if text in dict(STOPS)] == [name for name, _ in STOPS]
    whole = tab.evaluate(SHOWN, {"token": 2})
    assert whole["beyond"] == "" and whole["ends"]["lengths"] > 512
    ticks = tab.evaluate("[70, 98, 0.03, 716.8].map((end) => code.ticksTo(end))")
    assert ticks == [[0, 20, 40, 60], [0, 20, 40, 60, 80], [0, 0.01, 0.02, 0.03], [0, 200, 400, 600]]


def test_numbers_that_overflow_leave_the_axes_with_a_length(tab: Page, explained: Explanation) -> None:
    unknown = np.full((6, 3), np.nan)
    unknown[0] = np.inf
    payload = made(unknown, np.full((6, 3), np.nan), ["a", "b", "c"])
    bare.mount(tab, "residual_stream", payload, explained, {}, page="residual")
    assert min(tab.evaluate(SHOWN, {})["ends"].values()) > 0


def test_a_click_picks_the_layer_and_the_sublayer(page: Page, server: str) -> None:
    open_at(page, f"{server}/residual?text=The+otter+paints+the+map.&layer=1")
    box = page.locator(".viz-residual-stream canvas").bounding_box()
    assert box
    page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    follows(page, layer="4")
    expect(page.locator(".viz-residual-stream .reading")).to_contain_text("after attention")
    page.mouse.click(box["x"] + 0.67 * box["width"], box["y"] + box["height"] / 2)
    expect(page.locator(".viz-residual-stream .reading")).to_contain_text("after feed-fwd")
    follows(page, layer="3", sublayer_encoder="encoder_ffn")
    expect(page.locator(".viz-residual-stream .reading")).to_contain_text("after feed-fwd")
    expect(page.locator(".st-key-_controls [role=combobox]")).to_have_count(0)  # the figure is where one picks it
    page.keyboard.press("ArrowUp")
    follows(page, layer="2", sublayer_encoder="encoder_ffn")
