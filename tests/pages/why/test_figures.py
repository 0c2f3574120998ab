"""The figures about one word: which way round they are, and typed text stays text."""

import re

import numpy as np
import pytest

from pages.why.figures import Summand, WordLine, WordScores, source_bars, sum_bars, word_lines
from pages.why.rollout import Label, Ribbon, ribbons
from tests.plots import described
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import LensCell, lens_map
from viz_core.figures.palette import LIGHT

TYPED, SHOWN = "<b>$x$</b>", "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"


def notes(fig: Figure) -> list[str]:
    return [note.text for note in fig.plotly().layout.annotations]


def test_the_lens_goes_down_through_the_layers_and_a_click_sets_one() -> None:
    rows = [
        [LensCell((f"{row}{column}", ""), 0.1 * row + 0.01 * column, f"at {row} {column}") for column in range(2)]
        for row in range(3)
    ]
    rows[2][1] = LensCell((TYPED, "9 %"), 0.9, f"at 2 1 {TYPED}", highlighted=True)
    fig = lens_map(rows, ["start", "one", "two"], ["first", TYPED], title="", axes=("down", "across"), highlighted=2)
    assert np.array_equal(fig.plotly().data[0].z, [[0, 0.01], [0.1, 0.11], [0.2, 0.9]])
    assert (
        list(fig.plotly().layout.yaxis.ticktext) == ["start", "one", "<b>two</b>"]
        and fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]
    )
    assert list(fig.plotly().layout.xaxis.ticktext) == ["first", SHOWN]
    clicks = {
        (x, y): data[0]
        for x, y, data in zip(fig.plotly().data[-1].x, fig.plotly().data[-1].y, fig.plotly().data[-1].customdata, strict=True)
    }
    assert (clicks[1, 0], clicks[1, 1], clicks[0, 2]) == (0, 0, 1)
    (framed,) = fig.plotly().layout.shapes
    assert (framed.x0, framed.x1, framed.y0, framed.y1) == (0.5, 1.5, 1.5, 2.5)
    written = [
        text
        for trace in fig.plotly().data
        if trace.type == "heatmap" and trace.text is not None
        for row in trace.text
        for text in row
    ]
    assert f"{SHOWN}<br>9 %" in written and "at 2 1" in described(fig)


def test_each_summand_starts_where_the_last_one_ended() -> None:
    parts = [Summand("a", 2.0), Summand(TYPED, -0.5, layer=1), Summand("c", 1.0, layer=2)]
    fig = sum_bars(parts, Summand("all", 2.5), title="", axes=("parts", "logits"), layer=1)
    bar, clicks = fig.plotly().data[0], fig.plotly().data[-1]
    assert list(bar.base) == [0.0, 2.0, 1.5, 0.0] and list(bar.x) == [2.0, -0.5, 1.0, 2.5]
    assert list(fig.plotly().layout.yaxis.ticktext) == ["a", f"<b>{SHOWN}</b>", "c", "<b>all</b>"]
    assert fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]
    assert [(y, data[0]) for y, data in zip(clicks.y, clicks.customdata, strict=True)] == [(1, 1), (2, 2)]
    assert bar.marker.color[0] != bar.marker.color[1]
    assert "all: 2.50" in described(fig)


def test_scores_are_beside_each_other_over_the_same_words() -> None:
    answers = [
        WordScores("one", "nats", np.array([1.0, 3.0, -1.0]), 1),
        WordScores(TYPED, "logits", np.array([0.0, 0.001, 0.5]), 2),
    ]
    fig = source_bars(["the", TYPED, "the"], answers, title="", axis="words")
    first, second = fig.plotly().data
    assert list(first.x) == [1, 3, -1] and list(first.y) == [0, 1, 2]
    assert (
        list(fig.plotly().layout.yaxis.ticktext) == ["the", SHOWN, "the"]
        and fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]
    )
    assert fig.plotly().layout.xaxis.domain[1] < fig.plotly().layout.xaxis2.domain[0]
    assert [row for row, colour in enumerate(second.marker.color) if colour == LIGHT.accent] == [2]
    assert list(second.text) == ["", "", "0.50"] and second.hovertext[1].endswith("0.001")
    assert notes(fig) == ["<b>one</b>", f"<b>{SHOWN}</b>"]
    assert "one, «<b>$x$</b>»: 3.00" in described(fig) and first.hovertext[1] == f"one, «{SHOWN}»: 3.00"


def test_scores_that_are_still_to_come_have_no_bars_and_no_numbers() -> None:
    fig = source_bars(
        ["a", "b"],
        [WordScores("one", "nats", np.array([1.0, 2.0]), 1, "wait"), WordScores("two", "nats", None, None, "wait")],
        title="",
        axis="",
    )
    shown = [note for note in fig.plotly().layout.annotations if note.text == "wait" and note.visible]
    assert [note.x for note in shown] == [pytest.approx(np.mean(fig.plotly().layout.xaxis2.domain))]
    one, two = fig.plotly().data
    assert list(two.x) == [0, 0] and list(two.text) == ["", ""] and two.hovertext[0] == "two, «a»: …"
    assert fig.plotly().layout.xaxis2.showticklabels is False and fig.plotly().layout.xaxis.showticklabels is True
    assert list(one.text) == ["1.00", "2.00"]


def test_a_line_leads_from_its_source_word_to_its_output_word() -> None:
    lines = [WordLine(2, 0, 1.0, "0 needs 2"), WordLine(1, 1, 0.5, f"1 needs {TYPED}")]
    fig = word_lines(
        ["x", TYPED, "z"], ["u", "v", "w"], lines, title="", names=("from", "to"), highlighted=1, data=[4, 6, 7]
    ).plotly()
    quiet, highlighted, none = fig.data[:3]
    assert (list(quiet.y), list(highlighted.y)) == ([2, 0], [1, 1]) and list(highlighted.x) == [0, 1]
    assert (quiet.visible, highlighted.visible, none.visible) == (True, True, False)
    assert highlighted.line.color == LIGHT.weight != quiet.line.color and quiet.line.width == 2 * highlighted.line.width
    assert highlighted.zorder > quiet.zorder
    notes = [note for note in fig.layout.annotations if note.visible is not False]
    words = [(note.text, note.x > 0.5, note.y) for note in notes]
    assert words == [
        ("x", False, 0), (SHOWN, False, 1), ("z", False, 2), ("u", True, 0), ("<b>v</b>", True, 1), ("w", True, 2),
        ("from", False, -1), ("to", True, -1), (f"<b>{SHOWN}</b>", False, 1),
    ]  # fmt: skip
    beside, middle = fig.data[-2:]
    assert [(y, data[0]) for y, data in zip(beside.y, beside.customdata, strict=True)] == [(0, 4), (1, 6), (2, 7)]
    assert [(x, y, data[0]) for x, y, data in zip(middle.x, middle.y, middle.customdata, strict=True)] == [
        (0.5, 1, 4), (0.5, 1, 6), (beside.x[2], 2, 7),
    ]  # fmt: skip
    fig = word_lines(["x", TYPED], ["u", "v"], lines[1:], title="", names=("from", "to"), highlighted=1, data=[4, 6])
    assert described(fig).startswith("1 needs <b>$x$</b>")


def test_ribbons_are_as_wide_as_their_shares_and_lie_side_by_side() -> None:
    ways = [Ribbon((2.0, 1.0), (0.0, 3.0), 0.25, TYPED), Ribbon((2.0, 1.0), (0.0, 0.0), 0.75, "up", highlighted=True)]
    labels = [Label(TYPED, (0.0, 0.0), "left"), Label("top", (2.0, 1.0), "right", highlighted=True)]
    fig = ribbons(ways, labels, {0.0: "source"}, title="", span=(-1, 3), rows=4)

    def at_start(index: int) -> tuple[float, float]:
        """Upper and lower edge where a ribbon leaves."""
        points = re.findall(r"[-\d.]+,([-\d.]+)", fig.plotly().layout.shapes[index].path)
        return float(points[0]), float(points[-1])

    below, above = at_start(0), at_start(1)
    assert above[1] - above[0] == pytest.approx(3 * (below[1] - below[0]))
    assert above[1] == pytest.approx(below[0])  # the one that goes up leaves above the one that goes down
    assert fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]
    assert (fig.plotly().layout.shapes[1].fillcolor, fig.plotly().layout.shapes[0].fillcolor) == (LIGHT.weight, LIGHT.quiet)
    assert SHOWN in notes(fig) and fig.plotly().data[0].hovertext[0] == SHOWN
    assert described(fig) == "up. <b>$x$</b>"
