"""The figure of the residual stream in a real browser: its numbers, and what a click picks. Its drawing: tests/web."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.residual.stream import stream_payload
from tests.e2e import bare
from tests.e2e.driving import follows, turn_to
from viz_core import Explanation, explain
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints <b>the</b> map.")


def test_the_picked_token_has_its_numbers_and_the_decoder_only_what_it_has_read(tab: Page, explained: Explanation) -> None:
    payload = stream_payload(explained, "decoder", "cross_attn")
    bare.mount(tab, "residual_stream", payload, explained, {"step": 2, "layer": 1}, page="residual")
    trace = explained.trace
    own = [np.linalg.norm(trace.array("decoder.1.cross_attn.out")[2]), np.linalg.norm(trace.array("decoder.1.resid_cross_attn")[2])]
    assert [f"{value:.2f}" in tab.locator(".reading").inner_text() for value in own] == [True, True]
    expect(tab.locator(".lead")).to_contain_text(f"«{explained.target.labels[2]}»")
    before = bare.texts(tab)
    tab.keyboard.press("ArrowRight")
    bare.frame(tab)
    expect(tab.locator(".lead")).to_contain_text(f"«{explained.target.labels[3]}»")
    assert bare.texts(tab) != before
    assert tab.evaluate("messages.filter(([name]) => name !== 'view')") == []


def test_a_click_picks_the_layer_and_the_sublayer(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/residual?text=The+otter+paints+the+map.&layer=1")
    box = kept.locator(".viz-residual-stream canvas").bounding_box()
    assert box
    kept.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    follows(kept, layer="4")
    expect(kept.locator(".viz-residual-stream .reading")).to_contain_text("after attention")
    kept.mouse.click(box["x"] + 0.67 * box["width"], box["y"] + box["height"] / 2)
    expect(kept.locator(".viz-residual-stream .reading")).to_contain_text("after feed-fwd")
    follows(kept, layer="3", sublayer_encoder="encoder_ffn")
    expect(kept.locator(".viz-residual-stream .reading")).to_contain_text("after feed-fwd")
    expect(kept.locator(".st-key-_controls select")).to_have_count(0)  # the figure is where one picks it
    kept.keyboard.press("ArrowUp")
    follows(kept, layer="2", sublayer_encoder="encoder_ffn")
