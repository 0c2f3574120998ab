"""Tables: what is written is as plain as it was typed, numbers never vanish, and labels fit their place."""

from viz_core.figures.base import clipped
from viz_core.figures.table import Drawn, amount, draws_table, html_table


def test_a_row_of_a_table_is_named_and_highlighted_and_typed_markup_is_text() -> None:
    table = html_table(
        "measures", ["a", "b"], [["<b>previous</b>", "60 %"], ["next", "3.0 ×"]], named=True, highlighted=0, label="figure"
    )
    assert '<tr class="highlighted"><th scope="row" class="word">&lt;b&gt;previous&lt;/b&gt;</th><td>60 %</td></tr>' in table
    assert '<th scope="col">b</th>' in table and table.count("<tr") == 3


def test_words_that_differ_are_marked_and_typed_markup_is_text() -> None:
    rows = [Drawn("greedy", [("das", False)], "−1"), Drawn("1", [("<i>", True), (" ", False), ("x", False)], "−2", "1 ×")]
    html = draws_table(rows, headings=["n", "s", "p", "t"], highlighted=1)
    assert "<mark>&lt;i&gt;</mark> x" in html
    assert html.count('class="highlighted"') == 1
    assert html.index('class="greedy"') < html.index('class="highlighted"')


def test_amounts_never_vanish() -> None:
    assert [amount(v) for v in (1234.56, 2.5, 0.0123, 3.2e-9, 4.56e8)] == ["1,234.6", "2.500", "0.0123", "3.2·10⁻⁹", "4.6·10⁸"]


def test_a_chinese_text_is_cut_at_half_as_many_characters() -> None:
    assert [clipped(text, 6) for text in ("", "window", "windows", "三个字", "四个汉字", "a三个字")] == [
        "", "window", "windo…", "三个字", "四个…", "a三个…",
    ]  # fmt: skip
