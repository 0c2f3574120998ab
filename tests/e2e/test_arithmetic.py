"""The arithmetic below a figure, written by the browser: its numbers are those of the trace, what was typed is no markup; and
numbers that overflow.
"""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.residual.feed_forward import feed_forward_payload
from pages.residual.layer_norm import layer_norm_view
from tests.e2e import bare
from tests.e2e.bare import bundled
from tests.plots import unpacked
from viz_core import Explanation, explain
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e
SET = "(tex, isDisplay) => [`{${isDisplay ? 'display' : 'inline'}: ${tex}}`]"


def test_a_text_becomes_paragraphs_bold_words_and_formulas_and_what_was_typed_stays_text(tab: Page) -> None:
    tab.set_content("")
    tab.add_script_tag(content=bundled(prose="./viz_core/browser/kit/numbers.ts", preact="preact"))
    made = r"""(set) => {
      const typed = prose.escaped("<b>&#65;$1$**]");
      const text = `**a ${typed}**\n:gray[b] 1,000\n\nc $x_1 = 1,000$ [d]\n\n$$\ny = \\text{${prose.latex("$^{")}}\n$$\n\ne`;
      preact.render(prose.prose(text, eval(set)), document.body);
      return document.body.innerHTML;
    }"""
    html = tab.evaluate(made, SET)
    assert html == (
        "<p><strong>a &lt;b&gt;&amp;#65;$1$**]</strong>\n<span class=\"quiet\">b</span> 1,000</p>"
        '<p>c <span class="formula">{inline: x_1 = 1{,}000}</span> [d]</p>'
        '<span class="display">{display: \ny = \\text{\\$\\char`\\^{}\\{}\n}</span><p>e</p>'
    )  # fmt: skip


def test_a_text_is_that_of_the_layer_that_is_looked_at(tab: Page, explained: Explanation) -> None:
    about = {
        "texts": {"0": "A [[y]]", "1": "B &#36;two&#36; [[y]]"},
        "sections": [{"name": "why", "heading": "H", "template": "[[at]]"}, {"name": "more", "heading": "", "template": "none"}],
        "shared": {"y": "same"},
        "by": "layer",
    }
    bare.mount(tab, "arithmetic", pack({}, about), explained, {"layer": 1}, page="residual")
    root = tab.locator("#root")
    expect(root).to_have_text("HB $two$ same")
    tab.evaluate("store.set({ layer: 0 })")
    expect(root).to_have_text("HA same")
    tab.evaluate("store.set({ layer: 5 })")  # beyond the end
    expect(root).to_have_text("HB $two$ same")


@pytest.fixture(scope="module")
def overflowing(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints **<b>the</b>** $x$ map.", "Der Otter bemalt <i>keine</i> Häuser.")


def test_numbers_that_overflow_are_drawn_as_unknown(tab: Page, checkpoint: Checkpoint, overflowing: Explanation) -> None:
    """An edited model may have no numbers at all."""
    tensors, about = unpacked(layer_norm_view(checkpoint, overflowing, "encoder", "ffn"))
    tensors["x"] = tensors["x"] * np.nan
    tensors["out"] = tensors["out"] * np.inf
    bare.mount(tab, "layer_norm", pack(tensors, about), overflowing, {}, page="residual")
    assert "NaN" in tab.locator(".reading").inner_text() and {"dimension of the vector"} <= set(bare.texts(tab))
    tensors, about = unpacked(feed_forward_payload(checkpoint, overflowing, "encoder"))
    tensors["columns"], tensors["strengths"] = tensors["columns"] * np.nan, tensors["strengths"] * np.inf
    bare.mount(tab, "feed_forward", pack(tensors, about), overflowing, {}, page="residual", width=1200)
    assert {"hidden unit", "activation"} <= set(bare.texts(tab))
