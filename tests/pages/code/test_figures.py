"""The figures of the page "The code": what is where, which way round, and what a click hands back."""

import math
import re

import numpy as np
import pytest

from pages.code.figures import MapBox, call_map, growth, number_table, steps_beside
from viz_core.figures.charts import Curve
from viz_core.figures.palette import DARK, LIGHT

PARTS = [
    MapBox("source", 0, "go to <source>"),
    MapBox("enc 1", 4, "go to enc 1", highlighted=True),
    MapBox("memory", 9, "go to memory"),
]
ROWS = [
    ("self-attn", [MapBox("norm", 4, "4"), MapBox("Q", 5, "the queries", "q", highlighted=True)]),
    ("", [MapBox("$x$", 6, "6")]),
]


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_boxes_are_in_order_and_a_click_hands_back_the_call(palette: object) -> None:
    fig = call_map(PARTS, ROWS, names=("parts", "calls"), palette=palette).plotly()  # type: ignore[arg-type]
    targets = fig.data[-1]
    assert [at for (at,) in targets.customdata] == [0, 4, 9, 4, 5, 6]
    assert list(targets.x[:3]) == sorted(targets.x[:3])
    assert list(fig.layout.yaxis.ticktext) == ["parts", "self-attn", "calls"]
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]  # the first row on top
    assert len(set(targets.y)) == 3 and list(targets.y) == sorted(targets.y)
    highlighted = [note.text for note in fig.layout.annotations if note.text.startswith("<b>")]
    assert highlighted == ["<b>enc 1</b>", "<b>Q</b>"]
    for note, x, y in zip(fig.layout.annotations, targets.x, targets.y, strict=True):
        assert (note.x, note.y) == (x, y)


def test_what_a_map_says_is_escaped() -> None:
    fig = call_map(PARTS, ROWS, names=("parts", "calls")).plotly()
    assert fig.data[-1].hovertext[0] == "go to &lt;source&gt;"
    assert fig.layout.annotations[-1].text == "&#36;x&#36;"
    assert list(fig.layout.meta["says"]) == ["go to enc 1", "the queries"]


def test_a_table_has_its_labels_and_marks_one_row() -> None:
    drawn = number_table(["", "a", "<b>"], [["x", "1", "2"], ["y & z", "3", "4"]], name="corner", highlighted=1)
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", drawn)]
    assert '<th scope="col"></th>' not in drawn
    assert rows == [["", "a", "&lt;b&gt;"], ["x", "1", "2"], ["y &amp; z", "3", "4"]]
    assert re.findall(r'<tr class="(\w+)"><th[^>]*>(.*?)<', drawn) == [("highlighted", "y &amp; z")]
    worded = number_table(["", "w", "n"], [["x", "word", "2"]], name="corner", words=(1,))
    assert re.findall(r'<t[hd][^>]* class="word">(.*?)<', worded)[-3:] == ["w", "x", "word"]
    assert '<tr class="sum"><th' in number_table(["", "a"], [["x", "1"], ["all", "1"]], name="cost", sums=1)


def test_curves_grow_upwards_and_the_marks_are_in_place() -> None:
    curves = [Curve("one", [1, 100], [10, 1000], ["a", "b"], "q"), Curve("two", [1, 100], [1, 10_000], ["c", "d"])]
    fig = growth(curves, title="t", axes=("n", "cost"), here=(20, "here"), mark=(10, 100, "equal"), log=True).plotly()
    assert [list(trace.y) for trace in fig.data] == [[10, 1000], [1, 10_000]]
    assert [trace.name for trace in fig.data] == ["one", "two"]
    assert fig.data[0].line.color == LIGHT.q
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("n", "cost")
    here, mark = (next(note for note in fig.layout.annotations if note.text == text) for text in ("here", "equal"))
    assert here.x == pytest.approx(math.log10(20)) and (mark.x, mark.y) == pytest.approx((1, 2))
    flat = growth(curves, title="t", axes=("n", "cost"), here=(2, "here")).plotly()
    assert flat.layout.yaxis.type == "linear" and flat.layout.annotations[-1].x == 2


def test_two_bars_for_each_step_and_a_click_hands_back_the_step() -> None:
    pairs = np.array([0.5, 1.0, 2.0]), np.array([8.0, 8.5, 9.5])
    fig = steps_beside(
        ["a", "a", "<"], pairs, names=("trained", "not"), line=(9.0, "ln V"), hover=["x", "y", "<z>"], title="t",
        axes=("follows", "nats"), highlighted=2,
    ).plotly()  # fmt: skip
    assert [list(bar.y) for bar in fig.data[:2]] == [list(values) for values in pairs]
    assert [at for (at,) in fig.data[-1].customdata] == [0, 1, 2]
    assert list(fig.data[0].x) == [0, 1, 2] and fig.layout.xaxis.ticktext[2].count("&lt;") == 1
    assert fig.layout.shapes[0].y0 == fig.layout.shapes[0].y1 == 9.0
    assert fig.layout.yaxis.range[0] == 0 and fig.layout.yaxis.range[1] > 9.5
    assert list(fig.layout.meta["says"]) == ["&lt;z&gt;", "ln V"]
