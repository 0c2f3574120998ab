"""The figures of the residual stream in a real browser: what a click picks, and numbers that overflow. Their drawing: tests/web."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.residual.feed_forward import feed_forward_payload
from pages.residual.layer_norm import norm_payload
from pages.residual.stream import stream_payload
from tests.e2e import bare
from tests.e2e.driving import follows, turn_to
from tests.payloads import unpacked
from viz_core import Explanation, explain
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints **<b>the</b>** $x$ map.", "Der Otter bemalt <i>keine</i> Häuser.")


def test_the_picked_token_has_its_numbers(tab: Page, explained: Explanation) -> None:
    payload = stream_payload(explained, "decoder", "cross_attn")
    bare.mount(tab, "residual_stream", payload, explained, {"step": 2, "layer": 1}, page="residual")
    for step in (2, 3):
        for site in ("cross_attn.out", "resid_cross_attn"):
            length = np.linalg.norm(explained.trace.array(f"decoder.1.{site}")[step])
            expect(tab.locator(".reading")).to_contain_text(f"{length:.2f}")
        expect(tab.locator(".lead")).to_contain_text(f"«{explained.target.labels[step]}»")
        tab.keyboard.press("ArrowRight")
    assert tab.evaluate("messages.filter(([name]) => name !== 'view')") == []


def test_a_click_picks_the_layer_and_the_sublayer(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/residual?text=The+otter+paints+the+map.&layer=1")
    box = kept.locator(".viz-residual-stream canvas").bounding_box()
    assert box
    kept.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + box["height"] / 2)
    follows(kept, layer="4")
    kept.mouse.click(box["x"] + 0.67 * box["width"], box["y"] + box["height"] / 2)
    expect(kept.locator(".viz-residual-stream .reading")).to_contain_text("after feed-fwd")
    follows(kept, layer="3", sublayer_encoder="encoder_ffn")


def test_numbers_that_overflow_are_drawn_as_unknown(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    """An edited model may have no numbers at all."""
    tensors, about = unpacked(norm_payload(checkpoint.model, explained, "encoder", "ffn"))
    tensors["x"] = tensors["x"] * np.nan
    tensors["out"] = tensors["out"] * np.inf
    bare.mount(tab, "layer_norm", pack(tensors, about), explained, {}, page="residual")
    assert "NaN" in tab.locator(".reading").inner_text() and {"dimension of the vector"} <= set(bare.texts(tab))
    tensors, about = unpacked(feed_forward_payload(checkpoint, explained, "encoder"))
    tensors["columns"], tensors["strengths"] = tensors["columns"] * np.nan, tensors["strengths"] * np.inf
    bare.mount(tab, "feed_forward", pack(tensors, about), explained, {}, page="residual", width=1200)
    assert {"hidden unit", "activation"} <= set(bare.texts(tab))
