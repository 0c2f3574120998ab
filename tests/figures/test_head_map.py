"""The map of heads: layers down, heads across, and what is written is as plain as it was typed."""

import numpy as np

from tests.plots import described
from viz_core.figures.head_map import head_map
from viz_core.figures.palette import LIGHT, css, mixed, rgb
from viz_core.figures.table import html_table


def test_rows_are_layers_and_columns_are_heads() -> None:
    values = np.arange(6.0).reshape(2, 3) / 10
    said = [[f"layer {layer} head {head}" for head in range(3)] for layer in range(2)]
    fig = head_map(values, said, said, title="t", axes=("down", "across"), highlighted=(1, 2))
    bars, clicks = fig.plotly().data
    assert list(bars.customdata) == list(values.ravel()) and list(bars.text) == [text for row in said for text in row]
    assert list(bars.marker.color) == [css(mixed(LIGHT.sequential, share)) for share in values.ravel()]
    middle = [(round(base + tall / 2), column) for base, tall, column in zip(bars.base, bars.y, bars.x, strict=True)]
    assert middle == [(layer, head) for layer in range(2) for head in range(3)]
    assert (fig.plotly().layout.yaxis.title.text, fig.plotly().layout.xaxis.title.text) == ("down", "across")
    assert (
        list(fig.plotly().layout.yaxis.ticktext) == ["1", "2"]
        and fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]
    )
    at = [list(data) for data in clicks.customdata].index([1, 2])
    assert (clicks.y[at], clicks.x[at], clicks.hovertext[at]) == (1, 2, "layer 1 head 2")
    assert "layer 1 head 2" in described(fig)


def test_signed_numbers_have_a_scale_centred_on_0_and_typed_markup_is_text() -> None:
    fig = head_map(
        np.array([[-2.0, 0.0, 2.0]]), [["−2.00", "<b>", "2.00\nnearby"]], [["a", "b", "c"]], title="", axes=("", ""),
        highlighted=(0, 0), limit=2.0,
    )  # fmt: skip
    ends = (LIGHT.diverging[0], LIGHT.diverging[3], LIGHT.diverging[-1])
    assert list(fig.plotly().data[0].marker.color) == [css(rgb(colour)) for colour in ends]
    assert list(fig.plotly().data[0].text) == ["−2.00", "&lt;b&gt;", "2.00<br>nearby"]


def test_a_row_of_a_table_is_named_and_highlighted_and_typed_markup_is_text() -> None:
    table = html_table(
        "measures", ["a", "b"], [["<b>previous</b>", "60 %"], ["next", "3.0 ×"]], named=True, highlighted=0, label="figure"
    )
    assert '<tr class="highlighted"><th scope="row" class="word">&lt;b&gt;previous&lt;/b&gt;</th><td>60 %</td></tr>' in table
    assert '<th scope="col">b</th>' in table and table.count("<tr") == 3
