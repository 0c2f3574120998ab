"""Vectors, projections, tables and masks: direction, labels, and numbers that fit each other."""

from __future__ import annotations

import re

import numpy as np

from pages.masked_attention.masks import batch_table, mask_matrix
from viz_core.figures.charts import compare_rows
from viz_core.figures.palette import LIGHT
from viz_core.figures.table import amount, softmax_table
from viz_core.figures.vectors import mixing, products

RANDOM = np.random.default_rng(3)


def test_products_multiply_dimension_by_dimension() -> None:
    q, k = RANDOM.normal(size=8), RANDOM.normal(size=8)
    fig = products(
        q, k, query="Haus", key="house", names=("q", "k", "q × k"), total=float(q @ k), title="t", axis="dimension"
    ).plotly()
    upper, lower, bars = fig.data
    np.testing.assert_allclose(upper.z[0] * np.asarray(lower.z[0]), bars.y)
    assert "«Haus»: q[1]" in upper.hovertext[0][0] and "«house»: k[1]" in lower.hovertext[0][0]
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis3.title.text) == ("dimension", "q × k")
    assert any(f"Σ = {q @ k:.3f}".replace("-", "−") in note.text for note in fig.layout.annotations)


def test_mixing_adds_up_to_its_last_row() -> None:
    weights, values = np.array([0.25, 0.75, np.nan]), RANDOM.normal(size=(3, 4))
    mix = 0.25 * values[0] + 0.75 * values[1]
    fig = mixing(
        weights, values, mix, ["a", "b", "c"], titles=("w", "v", "w × v"), total="Σ", axes=("keys", "dimension"), highlighted=1
    ).plotly()
    bars, rows, taken, bottom = fig.data
    np.testing.assert_allclose(np.asarray(taken.z).sum(0), bottom.z[0])
    assert list(bars.text) == ["25 %", "75 %", ""] and "masked" in bars.hovertext[2]
    assert rows.z.shape == (3, 4)
    assert [re.sub("<.*?>", "", label) for label in fig.layout.yaxis.ticktext] == ["a", "b", "c", "Σ"]
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis3.title.text) == ("keys", "dimension")


def test_the_table_has_one_line_for_each_key_and_no_number_where_masked() -> None:
    html = softmax_table(
        ["the", "<b>", "$x$"], np.array([2.0, 1.0, 5.0]), np.array([1.0, 0.5, 2.5]), np.array([np.e, np.exp(0.5), np.nan]),
        np.array([0.62, 0.38, 0.0]), headings=["key", "q·k", "÷", "mask", "e", "w"], masked="masked", total="Σ", highlighted=0,
    )  # fmt: skip
    lines = re.findall(r"<tr.*?</tr>", html)
    assert len(lines) == 1 + 3 + 1
    assert 'class="highlighted"' in lines[1] and "62 %" in lines[1] and "2.718" in lines[1]
    assert "&lt;b&gt;" in lines[2] and "&#36;x" in lines[3]
    assert "masked" in lines[3] and "−∞" in lines[3] and "0 %" not in lines[3]
    assert f"{np.e + np.exp(0.5):.3f}" in lines[4]


def test_amounts_never_vanish() -> None:
    assert [amount(v) for v in (1234.56, 2.5, 0.0123, 3.2e-9, 4.56e8)] == ["1,234.6", "2.500", "0.0123", "3.2·10⁻⁹", "4.6·10⁸"]


def test_two_ways_to_look_share_one_fixed_axis() -> None:
    fig = compare_rows(
        ["a", "b", "c"], np.array([0.5, 0.5, 0.0]), np.array([0.1, 0.2, 0.7]), names=("real", "edited"), title="",
        axes=("keys", "weight"), shaded=2, shade="not written yet",
    ).plotly()  # fmt: skip
    assert [bar.name for bar in fig.data] == ["real", "edited"]
    assert fig.data[1].hovertext[2] == "edited: 70 % at «c»"
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("keys", "weight")
    assert tuple(fig.layout.yaxis.range) == (0, 1.05)
    assert fig.layout.shapes[0].x0 == 1.5


def test_a_mask_says_why_each_cell_is_closed() -> None:
    later, pad = ~np.tril(np.ones((3, 3), dtype=bool)), np.array([[False, False, True]] * 3)
    tokens = ["⟨s⟩", "das", "⟨pad⟩"]
    fig = mask_matrix(
        {"comes later": later, "only fills up": pad},
        tokens,
        tokens,
        title="",
        open_words="open",
        marks=["later", "pad"],
        axes=("a", "b"),
    ).plotly()
    heat = fig.data[0]
    np.testing.assert_array_equal(heat.z, later | pad)
    assert heat.hovertext[0][2] == "«⟨s⟩» → «⟨pad⟩»: comes later, only fills up"
    assert heat.hovertext[2][0].endswith("open") and "0" not in "".join(cell for line in heat.text for cell in line)
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis.title.text) == ("a", "b")
    assert heat.colorscale[1][1] == LIGHT.masked


def test_a_batch_marks_what_only_fills_up() -> None:
    html = batch_table([["⟨s⟩", "<b>"], ["⟨s⟩", "⟨pad⟩"]], [2, 1], names=("one", "two"), highlighted=1)
    assert html.count("class=pad") == 1 and "&lt;b&gt;" in html
