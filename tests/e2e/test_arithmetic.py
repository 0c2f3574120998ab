"""The arithmetic below a figure, written by the browser: its numbers are those of the trace, and what was typed is no markup."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from pages.output.data import next_token_arithmetic_payload
from tests.e2e import bare
from tests.e2e.bundled import bundled, mount_name
from viz_core import Explanation, explain
from viz_core.analysis.attention import cell, entropy, softmax_row, strongest_key, unscaled_weights
from viz_core.app.attention import FORMULAS, TABLES
from viz_core.app.markup import number
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.figures.base import percent
from viz_core.figures.table import amount
from viz_core.texts import texts
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
HOSTILE = "</script>$x$**"
SET = "(tex, isDisplay) => [document.createTextNode(`{${isDisplay ? 'display' : 'inline'}: ${tex}}`)]"


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, f"The otter {HOSTILE} hides.", "Der Otter bemalt die Karte.")


def below(tab: Page, name: str, payload: bytes) -> str:
    """Mounts a second part below the one that the tab shows, and returns its text."""
    tab.add_script_tag(content=bundled(inner=f"viz:inner/{name}"))
    tab.evaluate(
        """([payload, name, mount]) => {
          const root = document.body.appendChild(Object.assign(document.createElement("div"), { id: "below" }));
          root.className = `viz-part viz-${name}`;
          inner[mount](root, core.bytesOf(payload), store);
        }""",
        [bare.sent(payload), name.replace("_", "-"), mount_name(name)],
    )
    return said(tab)


def said(tab: Page, **view: Any) -> str:
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)
    return tab.locator("#below").inner_text()


def test_a_text_becomes_paragraphs_bold_words_and_formulas_and_what_was_typed_stays_text(tab: Page) -> None:
    tab.set_content("")
    tab.add_script_tag(content=bundled(prose="./viz_core/browser/kit/prose.ts"))
    made = r"""(set) => {
      const typed = prose.escaped("<b>&#65;$1$**]");
      const text = `**a ${typed}**\n:gray[b] 1,000\n\nc $x_1 = 1,000$ [d]\n\n$$\ny = \\text{${prose.latex("$^{")}}\n$$\n\ne`;
      return prose.prose(text, eval(set)).map((node) => node.outerHTML).join("");
    }"""
    html = tab.evaluate(made, SET)
    assert html == (
        "<p><strong>a &lt;b&gt;&amp;#65;$1$**]</strong>\n<span class=\"quiet\">b</span> 1,000</p>"
        '<p>c <span class="formula">{inline: x_1 = 1{,}000}</span> [d]</p>'
        '<span class="display">{display: \ny = \\text{\\$\\char`\\^{}\\{}\n}</span><p>e</p>'
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["self", "masked", "cross"])
def test_each_stage_has_the_numbers_of_the_open_cell(tab: Page, explained: Explanation, kind: Kind) -> None:
    words = texts("app.attention")
    chosen = {key: words[key] for key in (*FORMULAS, *TABLES, "unmasked", "unscaled", "headings")} | {
        "heading": "[[layer]].[[head]]"
    }
    shared = {"d_k": "8", "Q": r"\Q", "K": r"\K", "V": r"\V"}
    payload = attention_payload(explained, kind, first=True)
    bare.mount(tab, "attention_view", payload, explained, {"step": 3, "token": 3}, page=f"{kind}_attention", stages=True)
    below(tab, "attention_arithmetic", pack({}, {"kind": kind, "texts": chosen, "shared": shared}))
    queries, keys = (side.labels for side in explained.sides(kind))
    for layer, head, query, locked in ((0, 0, 3, 1), (1, 2, 2, None), (0, 3, 1, 0)):
        attention = explained.trace.attention(kind, layer)
        step = query if kind != "self" and locked is None else 3
        picked = None if locked is None else [query, locked]
        key = strongest_key(attention, head, query) if locked is None else locked
        one = cell(attention, head, query, key)
        count = len(keys) if kind != "masked" else step + 1
        row = softmax_row(attention, head, query, count)
        scores = said(tab, stage="scores", layer=layer, head=head, step=step, token=query, cell=picked)
        assert scores.startswith(f"{layer + 1}.{head + 1}"), "whatever else is drawn, it is of one head"
        asking = queries[query] if kind == "self" else f"{queries[query]} → {explained.output[query].label}"
        assert f"«{asking}» and «{keys[key]}»" in scores
        first = [number(float(value)) for value in (one.q[0], one.k[0], one.q[1], one.k[1])]
        product = r"{} \cdot {} + {} \cdot {}".format(*(f"({each})" if each.startswith("-") else each for each in first))
        assert product in scores and rf"\mathbf{{{number(one.score)}}}" in scores
        scaled = said(tab, stage="scaled")
        assert ("Nothing is masked here" in scaled) == (kind != "masked")
        assert rf"\mathbf{{{number(one.scaled)}}}" in scaled
        real, other = row.weights, unscaled_weights(row)
        for share, bits in ((real.max(), entropy(row.weights)), (other.max(), entropy(other))):
            assert f"{percent(float(share))} " in scaled and f"entropy {number(bits)} bits" in scaled
        lines = tab.locator("#below tbody tr").all_inner_texts()
        assert [line.split("\t")[0] for line in lines] == keys[:count]
        assert [line.split("\t")[3] for line in lines] == [percent(float(share)) for share in other]
        masked = said(tab, stage="mask")
        assert ("closed" if not one.allowed else "open") in masked if kind == "masked" else masked == scaled
        softmax = said(tab, stage="softmax")
        assert not one.allowed or rf"\frac{{{number(one.exp)}}}{{{number(one.total)}}}" in softmax
        lines = tab.locator("#below tbody tr").all_inner_texts()
        heads = tab.locator("#below thead").inner_text()
        assert ("+ mask" in heads) == (kind == "masked") and "eˢ" in heads
        for j, line in enumerate(lines[:-1]):
            assert line.split("\t")[0] == keys[j]
            assert amount(row.exp[j]) in line and percent(float(row.weights[j])) in line if row.allowed[j] else "masked" in line
        assert amount(float(np.nansum(row.exp))) in lines[-1]
        assert tab.locator("#below tr.highlighted th").inner_text() == keys[key]
        mix = said(tab, stage="mix")
        largest = int(row.weights.argmax())
        v = number(float(attention.v[head, largest, 0]))
        term = rf"{number(float(row.weights[largest]))} \cdot {f'({v})' if v.startswith('-') else v}"
        assert term in mix and rf"\mathbf{{{number(float(attention.mix[head, query, 0]))}}}" in mix
        assert tab.locator("#below canvas").count() == 2 * count + 1
    assert tab.title() != "owned"


def test_a_logit_and_its_probability_are_of_the_picked_token(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    words = texts("output")
    about = {
        "texts": {name: words[name] for name in ("arithmetic", "heading_at_1", "tempered", "term", "remainder", "bias")}
        | {"heading": "h"},
        "readings": [f"reading {at}" for at in range(len(explained.steps))],
        "shared": {"matrix": "m", "vocabulary": "n"},
    }
    payload = next_token_payload(explained, checkpoint.tokenizer)
    bare.mount(tab, "next_token", payload, explained, {}, page="output")
    below(tab, "next_token_arithmetic", next_token_arithmetic_payload(checkpoint, explained, about))
    logits, log_probs = (explained.trace.array(f"output.{name}") for name in ("logits", "log_probs"))
    for step, picked in ((0, None), (2, 1)):
        ids = candidates(explained.steps[step])
        token = ids[-1] if picked is None else ids[picked]
        text = said(tab, step=step, cell=None if picked is None else [step, picked], temperature=1)
        assert f"reading {step}" in text and rf"e^{{{number(float(logits[step, token]))}}}" in text
        assert rf"= {number(float(log_probs[step, token]))}" in text and "At temperature" not in text
        warm = torch.tensor(logits[step]).double().div(0.5).softmax(-1)[token]
        assert f"\\text{{{percent(float(warm)).replace('%', chr(92) + '%')}}}" in said(tab, temperature=0.5)
        assert said(tab).startswith("The arithmetic at T = 1")


def test_values_are_those_of_the_layer_and_token_that_are_looked_at(tab: Page, explained: Explanation) -> None:
    numbers = [[{"x": f"{layer}-{token}"} for token in range(2)] for layer in range(2)]
    about = {
        "texts": {"a": "A [[word]] [[x]] [[y]]", "b": "B [[word]]"},
        "sections": [{"name": "why", "heading": "", "template": "[[which]]"}, {"name": "more", "heading": "H", "template": "b"}],
        "shared": {"y": "same", "which": "a"},
        "worked": {},
        "parts": [
            {"by": ["token"], "at": [{"word": "one"}, {"word": "&#36;two&#36;", "which": ""}]},
            {"by": ["layer", "token"], "at": numbers},
        ],
    }
    bare.mount(tab, "arithmetic", pack({}, about), explained, {"layer": 1, "token": 0}, page="residual")
    root = tab.locator("#root")
    expect(root).to_have_text("A one 1-0 sameHB one")
    tab.evaluate("store.set({ layer: 0 })")
    expect(root).to_have_text("A one 0-0 sameHB one")
    tab.evaluate("store.set({ token: 5 })")  # beyond the end the last ones hold; a text that there is not is not shown
    expect(root).to_have_text("HB $two$")


def test_formulas_are_set_as_on_the_rest_of_the_page(page: Page, server: str) -> None:
    page.goto(f"{server}/cross_attention?text=I+love+you.")
    part = page.locator(".viz-attention-arithmetic")
    expect(part.locator(".katex-display .katex-html").first).to_be_attached()
    exponent = part.locator(".katex-html .msupsub .sizing").first
    assert exponent.evaluate("node => getComputedStyle(node).fontSize") < part.locator(".katex").first.evaluate(
        "node => getComputedStyle(node).fontSize"
    )
    assert re.search(r"\d", part.locator("annotation").first.text_content() or "")
