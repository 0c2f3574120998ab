"""The figures of the page "The code": what is where, which way round, and what a click hands back."""

import re

from pages.code.figures import MapBox, call_map, number_table

PARTS = [
    MapBox("source", 0, "go to <source>"),
    MapBox("enc 1", 4, "go to enc 1", highlighted=True),
    MapBox("memory", 9, "go to memory"),
]
ROWS = [
    ("self-attn", [MapBox("norm", 4, "4"), MapBox("Q", 5, "the queries", "q", highlighted=True)]),
    ("", [MapBox("$x$", 6, "6")]),
]


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
