"""LayerNorm and the feed-forward network in a real browser: axes, numbers of the trace, and that no change asks the server."""

import numpy as np
import pytest
from playwright.sync_api import Page

from pages.residual.feed_forward import feed_forward_payload
from pages.residual.layer_norm import norm_payload
from tests.e2e import bare
from tests.payloads import unpacked
from viz_core import Explanation, explain
from viz_core.analysis.residual_stream import layer_norm
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.figures.palette import LIGHT

pytestmark = pytest.mark.e2e
ELEMENTS = """(name) => [...new DOMParser().parseFromString(part.svg(), "image/svg+xml").querySelectorAll(name)].map((node) => [
  node.textContent, Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))])"""


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints **<b>the</b>** $x$ map.", "Der Otter bemalt <i>keine</i> Häuser.")


def drawn(tab: Page) -> list[str]:
    return [text for text, _ in tab.evaluate(ELEMENTS, "text")]


def test_the_layer_norm_of_the_annotated_transformer_divides_by_another_deviation(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    payload = norm_payload(checkpoint.model, explained, "encoder", "ffn")
    bare.mount(tab, "layer_norm", payload, explained, {}, page="residual")
    ask = """(kind) => {
      const norm = code.readNorm(bytes);
      norm.kind = kind;
      const { variance, stages } = code.normAt(norm, { token: 2, step: 0, layer: 1, dim: null });
      return [variance, [...stages.standard.values]];
    }"""
    one = layer_norm(checkpoint.model, explained.trace, "encoder", 1, "ffn", 2)
    x = one.x.astype(np.float64)
    for kind, divisor in (("variance", np.sqrt(x.var() + one.eps)), ("deviation", x.std(ddof=1) + one.eps)):
        variance, values = tab.evaluate(ask, kind)
        assert variance == pytest.approx(x.var(ddof=kind == "deviation"), rel=1e-12)
        assert values == pytest.approx(list((x - x.mean()) / divisor), rel=1e-9, abs=1e-12)


def test_numbers_that_overflow_are_drawn_as_unknown(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    """An edited model may have no numbers at all."""
    tensors, about = unpacked(norm_payload(checkpoint.model, explained, "encoder", "ffn"))
    tensors["x"] = tensors["x"] * np.nan
    tensors["out"] = tensors["out"] * np.inf
    bare.mount(tab, "layer_norm", pack(tensors, about), explained, {}, page="residual")
    assert "NaN" in tab.locator(".reading").inner_text() and {"dimension of the vector"} <= set(drawn(tab))
    tensors, about = unpacked(feed_forward_payload(checkpoint, explained, "encoder"))
    tensors["columns"], tensors["strengths"] = tensors["columns"] * np.nan, tensors["strengths"] * np.inf
    bare.mount(tab, "feed_forward", pack(tensors, about), explained, {}, page="residual", width=1200)
    assert {"hidden unit", "activation"} <= set(drawn(tab))


def test_bars_of_layer_norm_go_up_where_numbers_are_positive(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    bare.mount(
        tab, "layer_norm", norm_payload(checkpoint.model, explained, "encoder", "ffn"), explained, {}, page="residual", width=1100
    )
    x = layer_norm(checkpoint.model, explained.trace, "encoder", 0, "ffn", 1).x
    for dim in (int(x.argmax()), int(x.argmin())):
        tab.evaluate("view => store.set(view)", {"token": 1, "dim": dim})
        bare.frame(tab)
        first = next(node for _, node in tab.evaluate(ELEMENTS, "rect") if node.get("fill") == LIGHT.accent)
        zero = next(float(node["y"]) for text, node in tab.evaluate(ELEMENTS, "text") if text == "0")
        top, foot = float(first["y"]), float(first["y"]) + float(first["height"])
        middle = (top + foot) / 2
        assert middle < zero if x[dim] > 0 else middle > zero - 7  # a text's y is its base line
    paths = {node["fill"]: node["d"].count("M") for _, node in tab.evaluate(ELEMENTS, "path") if "fill" in node}
    ups, downs = (paths[LIGHT.diverging[at]] for at in (5, 1))  # of the last stage
    out = layer_norm(checkpoint.model, explained.trace, "encoder", 0, "ffn", 1).out
    rest = np.delete(out, int(x.argmin()))
    assert (ups, downs) == ((rest >= 0).sum(), (rest < 0).sum())
