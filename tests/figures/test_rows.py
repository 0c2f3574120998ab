"""Vectors as rows: which way round, with which numbers, in readable ink."""

from __future__ import annotations

import numpy as np
import pytest

from viz_core.figures.attention import signed
from viz_core.figures.palette import DARK, LIGHT, Palette, luminance, mixed, readable
from viz_core.figures.rows import vector_matrix, vector_table

ROWS = np.arange(12, dtype=np.float32).reshape(3, 4) - 6


def test_rows_are_tokens_and_columns_dimensions() -> None:
    fig = vector_matrix(ROWS, ["the", "cat", "the"], axes=("source", "dimension"), limit=5, highlighted=1).plotly()
    heat = fig.data[0]
    assert heat.z.shape == (3, 4)
    assert list(heat.x) == [1, 2, 3, 4]
    assert [text.replace("<b>", "").startswith("the") for text in fig.layout.yaxis.ticktext] == [True, False, True]
    assert list(fig.layout.yaxis.range) == [2.5, -0.5]  # the first token on top
    assert (heat.zmin, heat.zmax) == (-5, 5)
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("dimension", "source")


def test_table_prints_the_first_numbers_and_draws_all() -> None:
    fig = vector_table(list(ROWS), ["a", "+ b", "= c"], ["1", "2", "3"], axis="dimension", limit=6, first=0, shown=2).plotly()
    strips = next(trace for trace in fig.data if trace.type == "heatmap" and trace.xaxis == "x2")
    assert np.array_equal(strips.z, ROWS)
    texts = [list(trace.text) for trace in fig.data if trace.type == "scatter"]
    assert texts == [["−6.00", "−5.00"], ["−2.00", "−1.00"], ["2.00", "3.00"]]
    assert list(fig.layout.yaxis.ticktext) == ["a", "+ b", "= c"]


def test_typed_markup_is_shown_as_typed() -> None:
    fig = vector_matrix(ROWS, ["<b>x</b>", "$x$", "\0"], axes=("a", "b"), limit=1).plotly()
    assert list(fig.layout.yaxis.ticktext) == ["&lt;b&gt;x&lt;/b&gt;", "&#36;x&#36;", "⟨00⟩"]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_numbers_can_be_read_on_every_colour(palette: Palette) -> None:
    for colours in (palette.diverging, palette.sequential):
        for share in np.linspace(0, 1, 61):
            colour = mixed(colours, float(share))
            under, over = luminance(colour) + 0.05, luminance(mixed([readable(colour)] * 2, 0)) + 0.05
            assert max(over, under) / min(over, under) >= 4.5, share


def test_a_number_is_never_shown_as_0_when_it_is_not() -> None:
    assert [signed(value) for value in (-0.5, 0.0, 0.0004, -4e-9)] == ["−0.50", "0.00", "0.0004", "−4e−09"]
