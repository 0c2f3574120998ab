"""The figures of the residual stream in a real browser: what a click picks, and numbers that overflow. Their drawing: tests/web."""

import numpy as np
import pytest
from playwright.sync_api import Page

from pages.residual.feed_forward import feed_forward_payload
from pages.residual.layer_norm import norm_payload
from tests.e2e import bare
from tests.payloads import unpacked
from viz_core import Explanation, explain
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints **<b>the</b>** $x$ map.", "Der Otter bemalt <i>keine</i> Häuser.")


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
