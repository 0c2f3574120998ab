"""The table of draws: typed text stays text."""

from viz_core.figures.table import Drawn, draws_table


def test_words_that_differ_are_marked_and_typed_markup_is_text() -> None:
    rows = [Drawn("greedy", [("das", False)], "−1"), Drawn("1", [("<i>", True), (" ", False), ("x", False)], "−2", "1 ×")]
    html = draws_table(rows, headings=["n", "s", "p", "t"], highlighted=1)
    assert "<mark>&lt;i&gt;</mark> x" in html
    assert html.count('class="highlighted"') == 1
    assert html.index('class="greedy"') < html.index('class="highlighted"')
