"""The map of a lens and a table of measures: what is written is as plain as it was typed."""

from tests.plots import described
from viz_core.figures.head_map import LensCell, lens_map
from viz_core.figures.table import html_table

TYPED, SHOWN = "<b>$x$</b>", "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"


def test_typed_text_stays_text() -> None:
    rows = [[LensCell((TYPED, "9 %"), 0.9, TYPED, highlighted=True)]]
    fig = lens_map(rows, ["start"], [TYPED], title="", axes=("", ""), highlighted=0)
    written = str(fig.plotly().to_dict())
    assert SHOWN in written and TYPED not in written and "$x$" not in written
    assert TYPED in described(fig)


def test_a_row_of_a_table_is_named_and_highlighted_and_typed_markup_is_text() -> None:
    table = html_table(
        "measures", ["a", "b"], [["<b>previous</b>", "60 %"], ["next", "3.0 ×"]], named=True, highlighted=0, label="figure"
    )
    assert '<tr class="highlighted"><th scope="row" class="word">&lt;b&gt;previous&lt;/b&gt;</th><td>60 %</td></tr>' in table
    assert '<th scope="col">b</th>' in table and table.count("<tr") == 3
