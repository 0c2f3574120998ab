"""Tables: what is written is as plain as it was typed, numbers never vanish, labels fit their place. Figures: plain values make the
one that plotly's own class would have built from the same calls.
"""

import base64

import numpy as np
import plotly.graph_objects as go

from tests.plots import unpacked
from viz_core.app.plot import plot_payload
from viz_core.figures.base import clipped
from viz_core.figures.figure import Figure
from viz_core.figures.table import amount, html_table


def test_a_row_of_a_table_is_named_and_highlighted_and_typed_markup_is_text() -> None:
    table = html_table(
        "measures", ["a", "b"], [["<b>previous</b>", "60 %"], ["next", "3.0 ×"]], named=True, highlighted=0, label="figure"
    )
    assert '<tr class="highlighted"><th scope="row" class="word">&lt;b&gt;previous&lt;/b&gt;</th><td>60 %</td></tr>' in table
    assert '<th scope="col">b</th>' in table and table.count("<tr") == 3


def test_amounts_never_vanish() -> None:
    assert [amount(v) for v in (1234.56, 2.5, 0.0123, 3.2e-9, 4.56e8)] == ["1,234.6", "2.500", "0.0123", "3.2·10⁻⁹", "4.6·10⁸"]


def test_a_chinese_text_is_cut_at_half_as_many_characters() -> None:
    assert [clipped(text, 6) for text in ("", "window", "windows", "三个字", "四个汉字", "a三个字")] == [
        "", "window", "windo…", "三个字", "四个…", "a三个…",
    ]  # fmt: skip


def test_the_same_calls_give_what_plotly_gives() -> None:
    axes = {"xaxis": {"ticks": "outside"}, "yaxis": {}, "yaxis2": {"domain": [0, 0.3]}}
    layout = {**axes, "title": None, "paper_bgcolor": "white", "template": {"layout": {"showlegend": True}}}
    ours, theirs = Figure(layout), go.Figure(layout=layout)
    for each in (ours, theirs):
        each.add_heatmap(z=np.eye(3, dtype=np.float32), colorbar={"title": "share"}, showscale=None)
        each.add_scatter(x=np.arange(3, dtype=np.float32), y=[1, None, 2], marker_color="red", marker={"line_width": 2})
        each.add_annotation(text="a", x=1, y=2, font_size=20)
        each.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, line={"width": 0})
        each.add_hline(y=0.5, line={"dash": "dot"})
        each.update_layout(margin_t=4, margin={"b": 5}, plot_bgcolor="black", xaxis={"title": "words"})
        each.update_xaxes(title_standoff=3, range=[0, 1])
        each.update_yaxes(showgrid=True)
    sent = unpacked(plot_payload(ours))[1]["figure"]
    assert sent["layout"].pop("meta")["says"] == []
    assert sent == theirs.to_dict()


def test_arrays_of_whole_numbers_are_sent_exactly_and_no_number_as_none() -> None:
    figure = Figure({})
    whole = [np.arange(3), np.array([2**31 - 1, -(2**31)]), np.array([2**40], dtype=np.int64)]
    for each in whole:
        figure.add_scatter(x=each)
    figure.add_scatter(y=[1.0, float("nan"), np.float32(2)])
    *sent, lists = (trace.get("x", trace.get("y")) for trace in unpacked(plot_payload(figure))[1]["figure"]["data"])
    for numbers, packed in zip(whole, sent, strict=True):
        assert np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist() == numbers.tolist()
        assert packed["dtype"] != "i8", "JavaScript has none"
    assert lists == [1.0, None, 2.0]
