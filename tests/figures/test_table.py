"""Tables: what is written is as plain as it was typed."""

from viz_core.figures.table import Drawn, draws_table, html_table


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
