"""The drawing of the model: real shapes, the right order, every block a link, and nothing typed is interpreted."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace

import pytest

from viz_core.analysis.shapes import Shapes, shapes_of
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.architecture import architecture
from viz_core.figures.architecture_parts import Sentence, shape_text
from viz_core.figures.palette import DARK, LIGHT
from viz_core.figures.svg import width_of, window
from viz_core.texts import fill, texts
from viz_core.ui.drawing import details, sentence_of
from viz_core.ui.state import View

HOSTILE = "</script></svg><b>*x*</b> &amp; \" ' \x00 你好 👍🏽 ⟨/s⟩"
PAGES = {"tokens", "embeddings", "positions", "qkv", "self_attention", "residual", "masked_attention", "cross_attention", "output"}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def explanation(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "My aunt hides two umbrellas.", "Meine Tante versteckt.")


@pytest.fixture(scope="module")
def view(checkpoint: Checkpoint, explanation: Explanation) -> View:
    return View(checkpoint, explanation, step=1, layer=1, head=0)


def table(name: str, values: Mapping[str, int]) -> dict[str, str]:
    return {key: fill(text, values) for key, text in texts("overview")[name].items()}


def drawn(view: View, sentence: Sentence | None = None, **options: object) -> ET.Element:
    """The drawing, parsed strictly: a typed tag or a stray quote would not parse."""
    values = details(view)
    settings: dict[str, object] = {"layers": view.config.n_layers, "norm": view.config.norm} | options
    labels, captions = table("label", values), table("caption", values)
    return ET.fromstring(
        architecture(sentence or sentence_of(view), shapes_of(view.trace, view.layer), labels, captions, **settings)  # type: ignore[arg-type]
    )


def blocks(svg: ET.Element) -> list[ET.Element]:
    return [group for group in svg.iter(f"{SVG}g") if group.get("class") == "block"]


def box(svg: ET.Element, kind: str) -> list[tuple[float, float]]:
    """(x, y) of the boxes of one kind."""
    return [(float(r.get("x", "")), float(r.get("y", ""))) for r in svg.iter(f"{SVG}rect") if r.get("class") == f"box {kind}"]


def test_shapes_are_those_of_this_sentence(view: View) -> None:
    source, target, config = len(view.source), len(view.target), view.config
    assert source != target
    said = "".join(drawn(view).itertext())
    for shape in [
        f"({source}, {config.d_model})",
        f"({target}, {config.d_model})",
        f"{config.n_heads} × ({source}, {config.d_k})",
        f"{config.n_heads} × ({target}, {config.d_k})",
        f"({source}, {config.d_ff})",
        f"({target}, {config.target_vocab})",
    ]:
        assert shape in said, shape


def test_keys_and_values_of_cross_attention_have_the_rows_of_the_source(view: View) -> None:
    (pills,) = [b for b in blocks(drawn(view)) if b.get("data-caption", "").startswith("The target asks")]
    words = [text.text for text in pills.iter(f"{SVG}text")]
    k = view.config.d_k
    heads = view.config.n_heads
    assert words == ["K", "V", f"{heads} × ({len(view.source)}, {k})", "Q", f"{heads} × ({len(view.target)}, {k})"]


def test_every_block_is_a_link_with_a_caption(view: View) -> None:
    found = blocks(drawn(view))
    assert {str(block.get("data-page")).partition("?")[0] for block in found} == PAGES
    for block in found:
        assert (block.get("role"), block.get("tabindex")) == ("link", "0")
        assert block.get("data-caption")
        assert block.get("aria-label")


def test_encoder_stands_left_of_decoder_and_all_flows_upwards(view: View) -> None:
    svg = drawn(view)
    (own,), (masked,), (cross,) = box(svg, "self"), box(svg, "masked"), box(svg, "cross")
    encoder_ffn, decoder_ffn = box(svg, "ffn")
    assert own[0] < masked[0]
    assert own[1] > encoder_ffn[1]
    assert masked[1] > cross[1] > decoder_ffn[1]
    assert min(y for _, y in box(svg, "embedding")) > masked[1]


@pytest.mark.parametrize(("norm", "count"), [("pre", 7), ("post", 5)])
def test_norm_stands_where_the_model_has_it(view: View, norm: str, count: int) -> None:
    """Pre-norm: below each of the five sub-layers, and once on top of each stack. Post-norm: above each sub-layer."""
    svg = drawn(view, norm=norm)
    norms, (attention,), (ffn, _) = box(svg, "norm"), box(svg, "self"), box(svg, "ffn")
    assert len(norms) == count
    encoder = sorted(y for x, y in norms if x == attention[0])
    below_attention = [y for y in encoder if y > attention[1]]
    assert len(below_attention) == (1 if norm == "pre" else 0)
    assert len([y for y in encoder if y < ffn[1]]) == 1


def test_bars_are_the_most_probable_pieces_and_the_typed_one(view: View) -> None:
    sentence, step = sentence_of(view), view.current
    assert [(bar.text, bar.share) for bar in sentence.bars[:3]] == step.top(3)
    (lit,) = [bar for bar in sentence.bars if bar.lit]
    assert lit.share == step.probability(step.expected.id)
    assert lit.text == sentence.next_piece == view.explanation.output[1].text


def test_translation_is_split_at_the_current_piece(view: View) -> None:
    for step in range(len(view.explanation.steps)):
        sentence = sentence_of(replace(view, step=step))
        assert sentence.written + sentence.now + sentence.rest == view.explanation.text
        assert sentence.last == (step == len(view.explanation.steps) - 1)
        assert [chip.state for chip in sentence.pieces_out].index("read") == step


def test_typed_text_is_shown_as_typed(checkpoint: Checkpoint) -> None:
    hostile = View(checkpoint, explain(checkpoint, HOSTILE, HOSTILE), step=3, layer=0, head=0)
    svg = drawn(hostile)
    said = "".join(svg.itertext())
    assert "</script></svg><b>*x*</b> &amp; \" '" in said
    assert "⟨00⟩" in said
    assert not list(svg.iter("b"))  # the drawing's own HTML has a namespace


def test_long_sentences_say_how_much_is_left_out(checkpoint: Checkpoint) -> None:
    long = View(checkpoint, explain(checkpoint, "the otter paints two umbrellas " * 6, "der Otter " * 9), step=10, layer=0, head=0)
    svg = drawn(long)
    rows = [d for d in svg.iter() if d.get("class") == "chips"]
    for row, total in zip(rows, (len(long.source), len(long.target)), strict=True):
        shown = [d for d in row if (d.get("class") or "").startswith("chip ")]
        hidden = sum(int(n) for d in row if d.get("class") == "more" for n in re.findall(r"\d+", d.text or ""))
        assert 0 < len(shown) < total
        assert len(shown) + hidden == total
    assert any(d.get("class") == "chip read" for d in rows[1])


def test_no_text_is_smaller_than_the_projector_floor(view: View) -> None:
    for palette in (LIGHT, DARK):
        sizes = [int(size) for size in re.findall(r"font-size:(\d+)px", ET.tostring(drawn(view, palette=palette), "unicode"))]
        assert min(sizes) >= 18


def test_shapes_leave_out_batch_and_layer(explanation: Explanation) -> None:
    shapes: Shapes = shapes_of(explanation.trace, 0)
    assert shapes["encoder.self_attn.q"] == tuple(explanation.trace["encoder.0.self_attn.q"].shape)[1:]
    assert shapes["source.positions"] == tuple(explanation.trace["source.positions"].shape)
    assert shape_text((8, 9, 32)) == "8 × (9, 32)"
    assert shape_text((9, 256)) == "(9, 256)"


def test_window_keeps_the_focus_and_fits() -> None:
    assert window([10] * 10, 35, 0) == (0, 3)
    assert window([10] * 10, 35, 9) == (7, 10)
    start, end = window([10] * 10, 55, 5)
    assert start <= 5 < end
    assert end - start == 5
    assert window([99], 10, 0) == (0, 1)
    assert width_of("你", 18) > width_of("i", 18)
