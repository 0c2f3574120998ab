"""LayerNorm and the feed-forward network in a real browser: axes, numbers of the trace, and that no change asks the server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, WebSocket, expect

from pages.residual.feed_forward import feed_forward_payload
from pages.residual.layer_norm import norm_payload
from tests.e2e import bare
from tests.e2e.bundled import bundled, mount_name
from tests.e2e.driving import follows, open_at, query, settle
from tests.payloads import unpacked
from viz_core import Explanation, explain
from viz_core.analysis.residual_stream import LayerNormTerms, layer_norm
from viz_core.app.markup import number
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.figures.base import percent
from viz_core.figures.palette import LIGHT
from viz_core.texts import texts

pytestmark = pytest.mark.e2e
ELEMENTS = """(name) => [...new DOMParser().parseFromString(part.svg(), "image/svg+xml").querySelectorAll(name)].map((node) => [
  node.textContent, Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))])"""


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints **<b>the</b>** $x$ map.", "Der Otter bemalt <i>keine</i> Häuser.")


def drawn(tab: Page) -> list[str]:
    return [text for text, _ in tab.evaluate(ELEMENTS, "text")]


def below(tab: Page, name: str, about: dict[str, Any]) -> None:
    """Mounts the arithmetic below the part that the tab shows, in sight."""
    tab.set_viewport_size({"width": 1300, "height": 1800})
    tab.add_script_tag(content=bundled(inner=f"viz:inner/{name}"))
    tab.evaluate(
        """([payload, mount]) => {
          const root = document.body.appendChild(Object.assign(document.createElement("div"), { id: "below" }));
          root.className = "viz-part";
          inner[mount](root, core.bytesOf(payload), store);
        }""",
        [bare.sent(pack({}, about)), mount_name(name)],
    )
    bare.frame(tab)


def show(tab: Page, **view: Any) -> str:
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)
    return tab.locator("#below").inner_text()


def signed(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


@pytest.mark.parametrize(("stack", "block"), [("encoder", "ffn"), ("decoder", "cross_attn")])
def test_layer_norm_has_the_numbers_of_each_layer_token_and_dimension(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, stack: Any, block: str
) -> None:
    payload = norm_payload(checkpoint.model, explained, stack, block)
    bare.mount(tab, "layer_norm", payload, explained, {}, page="residual", width=1100)
    words = {"text": texts("residual")["arithmetic_norm"], "heading": "h"}
    below(tab, "layer_norm_arithmetic", {"sublayer": f"{stack}_{block}", "texts": words})
    labels = (explained.source if stack == "encoder" else explained.target).labels

    def terms(layer: int, token: int) -> LayerNormTerms:
        return layer_norm(checkpoint.model, explained.trace, stack, layer, block, token)

    for layer, token, picked in ((0, 0, None), (1, 3, 5), (0, 4, 0), (1, 2, 999)):
        one = terms(layer, token)
        text = show(tab, layer=layer, token=token, step=token, dim=picked)
        size = len(one.x)
        dim = int(np.abs(one.standard).argmax()) if picked is None else min(picked, size - 1)
        assert f"Dimension {dim + 1} of «{labels[token]}»" in text
        values = (float(one.x[dim]), float(one.standard[dim]), float(one.out[dim]))
        for value in (*values, one.mean, one.variance, one.eps, float(one.gamma[dim]), float(one.beta[dim])):
            assert number(value) in text
        x, standard, out = (signed(value, 3) for value in values)
        expect(tab.locator(".reading")).to_contain_text(
            f"x = {x}    (x − μ)/σ = {standard}    γ·… + β = {out}", use_inner_text=True
        )
        said = drawn(tab)
        assert [each for each in said if each in map(signed, values)][:3] == list(map(signed, values)), "beside the bars"
    assert [text for text in said if text.startswith(("1 ", "2 ", "3 "))] and {"dimension of the vector", "1", str(size)} <= set(
        said
    )
    assert (
        tab.evaluate("messages.filter(([name]) => name !== 'view')") == []
        and tab.locator("#below b, #root b, #below strong").count() == 0
    )


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


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_the_feed_forward_network_has_the_numbers_of_each_layer_token_and_unit(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, stack: Any
) -> None:
    payload = feed_forward_payload(checkpoint, explained, stack)
    bare.mount(tab, "feed_forward", payload, explained, {}, page="residual", width=1200)
    words = {"text": texts("residual")["arithmetic_ffn"], "heading": "h", "note": "", "activation": "ReLU"}
    below(tab, "feed_forward_arithmetic", {"stack": stack, "texts": words})
    labels = (explained.source if stack == "encoder" else explained.target).labels
    for layer, token, cell in ((0, 0, None), (1, 3, [3, 2]), (0, 4, [3, 2]), (1, 2, [2, 99])):
        hidden = explained.trace.array(f"{stack}.{layer}.ffn.hidden")
        own = hidden[token]
        order = [int(unit) for unit in np.argsort(-own, kind="stable")[:6] if own[unit] > 0]
        unit = order[2 if cell == [token, 2] else 0]
        text = show(tab, layer=layer, token=token, step=token, cell=cell)
        assert f"The activation of unit {unit + 1} for «{labels[token]}»" in text
        assert f"= {number(float(own[unit]))}" in text and f"{(own > 0).sum()} of {len(own)} units are active" in text
        out = explained.trace.array(f"{stack}.{layer}.ffn.out")[token].astype(np.float64)
        assert f"length {number(float(np.linalg.norm(out)))}" in text.replace("$", "")
        share = percent(float((own == 0).mean()))
        expect(tab.locator(".lead")).to_contain_text(f"For «{labels[token]}», {share} of the units", use_inner_text=True)
        said = drawn(tab)
        assert f"Layer {layer + 1}: activation of the hidden units" in said and "hidden unit" in said
        assert [each for each in said if each.startswith("unit ")] == [f"unit {each + 1}" for each in order], "the largest on top"
        assert [f"{own[each]:.2f}" in said for each in order] == [True] * len(order)
        count = len(labels) if stack == "encoder" else token + 1
        rows = [node for each, node in tab.evaluate(ELEMENTS, "text") if each in labels and node.get("text-anchor") == "end"]
        assert len(rows) == count and sorted(float(node["y"]) for node in rows) == [float(node["y"]) for node in rows], "from above"
    assert (
        tab.evaluate("messages.filter(([name]) => name !== 'view')") == []
        and tab.locator("#below b, #root b, #below strong").count() == 0
    )


@pytest.fixture
def frames(page: Page) -> Iterator[list[object]]:
    """What goes over Streamlit's websocket."""
    found: list[object] = []

    def hear(socket: WebSocket) -> None:
        for event in ("framesent", "framereceived"):
            socket.on(event, lambda data: found.append(data))  # type: ignore[call-overload]  # noqa: PLW0108 — a builtin cannot listen

    page.on("websocket", hear)
    yield found
    page.remove_listener("websocket", hear)


Act = Callable[[Page], None]


def at(x: float, y: float) -> Act:
    """A click there, in parts of the figure."""

    def click(page: Page) -> None:
        box = page.locator(".viz-part canvas").first.bounding_box()
        assert box
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])

    return click


def key(name: str) -> Act:
    return lambda page: page.keyboard.press(name)


@pytest.mark.parametrize(
    ("show", "click", "picked"), [("norm", at(0.5, 0.3), "dim"), ("ffn", at(0.65, 0.42), "cell")], ids=["norm", "ffn"]
)
def test_token_layer_and_what_is_picked_ask_the_server_for_nothing(
    page: Page, server: str, frames: list[object], show: str, click: Act, picked: str
) -> None:
    open_at(page, f"{server}/residual?text=The+otter+paints+the+map.&show={show}&layer=1")
    text = page.locator(".st-key-_below")
    expect(text.locator(".katex").first).to_be_attached()
    settle(page)
    frames.clear()
    for act, expected in ((key("ArrowRight"), {"token": "3"}), (key("ArrowDown"), {"layer": "2"}), (click, {"token": "3"})):
        was = text.inner_text()
        act(page)
        settle(page)
        assert frames == [], expected
        assert text.inner_text() != was and expected.items() <= query(page).items()
    asked, said = query(page)[picked], text.locator("p").first.inner_text()
    page.reload()
    follows(page, token="3", layer="2", **{picked: asked})
    expect(text.locator("p").first).to_have_text(said, use_inner_text=True)
