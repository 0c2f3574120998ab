"""The figure of a truncation and the table of draws: which way round, and typed text stays text."""

from __future__ import annotations

import numpy as np

from pages.decoding.figures import truncation_figure
from viz_core.figures.table import Drawn, draws_table

MODEL = np.array([0.5, 0.25, 0.15, 0.08, 0.02])
TEMPERED = np.array([0.4, 0.25, 0.18, 0.12, 0.05])
AFTER = np.array([0.4, 0.25, 0.0, 0.0, 0.0]) / 0.65


def test_the_bars_are_those_of_the_ranks_and_of_all_others() -> None:
    fig = truncation_figure(
        ["<b>one</b>", "four"], [0, 3], MODEL, TEMPERED, AFTER, 2, title="$t$", names=("a", "b", "c"), axes=("x", "y"),
        ends=("stay", "go", "the rest"), drawn=1,
    ).plotly()  # fmt: skip
    now, before, words = [trace for trace in fig.data if trace.type == "bar"]
    assert np.allclose(now.x, [AFTER[0], 0, AFTER[1]])
    assert np.allclose(before.x, [0.4, 0.12, 0.48])
    assert list(words.text) == ["40 % → 62 %", "12 % → 0 %", "48 % → 38 %"]
    assert list(fig.layout.yaxis2.ticktext) == ["&lt;b&gt;one&lt;/b&gt;", "<b>four</b>", "the rest"]
    assert fig.layout.yaxis2.range[0] > fig.layout.yaxis2.range[1]  # the most probable at the top


def test_the_cut_is_between_the_last_token_kept_and_the_first_cut_off() -> None:
    def cut(count: int) -> list[float]:
        fig = truncation_figure(
            ["one"], [0], MODEL, TEMPERED, AFTER, count, title="", names=("a", "b", "c"), axes=("x", "y"), ends=("s", "g", "r")
        ).plotly()
        return [shape.x0 for shape in fig.layout.shapes]

    assert cut(2) == [2.5]
    assert cut(5) == []


def test_words_that_differ_are_marked_and_typed_markup_is_text() -> None:
    rows = [Drawn("greedy", [("das", False)], "−1"), Drawn("1", [("<i>", True), (" ", False), ("x", False)], "−2", "1 ×")]
    html = draws_table(rows, headings=["n", "s", "p", "t"], highlighted=1)
    assert "<mark>&lt;i&gt;</mark> x" in html
    assert html.count('class="highlighted"') == 1
    assert html.index('class="greedy"') < html.index('class="highlighted"')


def test_a_single_kept_token_has_an_area_and_a_full_bar_room_for_its_text() -> None:
    fig = truncation_figure(
        ["one"], [0], MODEL, TEMPERED, AFTER, 1, title="", names=("a", "b", "c"), axes=("x", "y"), ends=("s", "g\nh", "r")
    ).plotly()
    stays, goes = fig.data[:2]
    assert list(stays.x) == [1, 1.5] and goes.x[0] == 1.5
    assert stays.y[0] == np.float32(TEMPERED[0]) and TEMPERED[1] < stays.y[1] == goes.y[0] < TEMPERED[0]
    assert fig.layout.xaxis2.domain[1] < 0.87
    assert "g<br>h" in [note.text for note in fig.layout.annotations]
