"""Maps side by side: which way round they are, that both have the same rows, each its own scale, and what a click hands back."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.plots import described
from viz_core.app.plot import plot_payload
from viz_core.figures.figure import Figure
from viz_core.figures.maps import ABOVE, GAP, Panel, greatest, maps
from viz_core.figures.palette import LIGHT

QUERIES, KEYS = ["das", "alte", "<b>Haus</b>"], ["the", "house $x$"]
WEIGHTS = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, np.nan]])
LENGTHS = np.array([[0.5, 2.0], [1.0, 7.5], [3.0, np.nan]])
PLOT = Path("viz_core/browser/plot/plot.js").read_text("utf-8")
ON_STAGE, LEAST_OF_IT = (float(re.findall(rf"const {name} = ([\d.]+)", PLOT)[0]) for name in ("ON_STAGE", "LEAST_OF_IT"))


def panel(values: Any, name: str) -> Panel:
    cells = [[str(value) for value in row] for row in values.tolist()]
    said = [
        [f"{name} {query} {key} {value}" for key, value in zip(KEYS, row, strict=True)]
        for query, row in zip(QUERIES, cells, strict=True)
    ]
    return Panel(values, name, cells, said, greatest(values), "end")


def drawn(cell: tuple[int, int] = (1, 0)) -> Figure:
    both = [panel(WEIGHTS, "weight"), panel(LENGTHS, "length")]
    return maps(both, QUERIES, KEYS, title="t", axes=("target", "source"), cell=cell)


def test_rows_are_queries_and_both_maps_have_the_same() -> None:
    fig = drawn()
    scaled = [trace for trace in fig.plotly().data if trace.type == "heatmap" and trace.showscale is not False]
    assert [(trace.xaxis, trace.yaxis) for trace in scaled] == [("x", None), ("x2", None)]
    assert np.array_equal(scaled[0].z, WEIGHTS, equal_nan=True) and np.array_equal(scaled[1].z, LENGTHS, equal_nan=True)
    assert "alte" in fig.plotly().layout.yaxis.ticktext[1] and fig.plotly().layout.yaxis.title.text == "target"
    for axis in (fig.plotly().layout.xaxis, fig.plotly().layout.xaxis2):
        assert axis.ticktext[1] == "house &#36;x&#36;" and axis.title.text.endswith("<br>source")
    assert fig.plotly().layout.yaxis.range[0] > fig.plotly().layout.yaxis.range[1]  # the first query on top
    assert fig.plotly().layout.xaxis2.domain[0] - fig.plotly().layout.xaxis.domain[1] == pytest.approx(GAP)


def test_each_map_has_a_scale_of_its_own_that_begins_at_0() -> None:
    scaled = [trace for trace in drawn().plotly().data if trace.type == "heatmap" and trace.showscale is not False]
    assert [(trace.zmin, trace.zmax) for trace in scaled] == [(0, 0.9), (0, 7.5)]
    assert scaled[0].colorbar.x < scaled[1].colorbar.x  # each to the right of its own map
    assert greatest(np.zeros((2, 2))) > 0 < greatest(np.full((2, 2), np.nan))


def test_a_click_on_either_hands_back_row_and_column() -> None:
    targets = [trace for trace in drawn().plotly().data if trace.type == "scatter"]
    assert [trace.xaxis for trace in targets] == ["x", "x2"]
    for trace, name in zip(targets, ("weight", "length"), strict=True):
        at = [list(place) for place in trace.customdata].index([2, 0])
        assert (trace.y[at], trace.x[at]) == (2, 0)
        assert trace.hovertext[at].startswith(f"{name} &lt;b&gt;Haus&lt;/b&gt; the ")


def test_the_picked_cell_is_framed_in_both_and_said() -> None:
    fig = drawn((0, 1))
    cells = [shape for shape in fig.plotly().layout.shapes if shape.line.color == LIGHT.accent]
    assert [(shape.xref, shape.x0, shape.x1, shape.y0, shape.y1) for shape in cells] == [
        ("x", 0.5, 1.5, -0.5, 0.5), ("x2", 0.5, 1.5, -0.5, 0.5)
    ]  # fmt: skip
    assert described(fig).endswith("weight das house $x$ 0.1. length das house $x$ 2.0")


def test_a_long_sentence_stays_small() -> None:
    tokens, values = [f"t{i}" for i in range(128)], np.full((128, 128), 1 / 128)
    said = [["something as long as what is said"] * 128] * 128
    one = Panel(values, "n", [["1"] * 128] * 128, said, 1.0, "1")
    fig = maps([one, one], tokens, tokens, title="t", axes=("a", "b"), cell=(3, 4))
    assert fig.plotly().layout.height < 1000 and len(plot_payload(fig, ())) < 4_000_000
    assert not any(trace.type == "scatter" or trace.texttemplate for trace in fig.plotly().data)
    assert fig.plotly().data[0].hovertext[3][4] == said[3][4]


@pytest.mark.parametrize("rows", [1, 9, 16, 24, 60, 128])
def test_on_stage_all_rows_are_seen_and_no_label_lies_over_another(rows: int) -> None:
    """As high as `browser/plot/plot.js` makes it there."""
    tokens, values = [f"t{i}" for i in range(rows)], np.full((rows, 3), 1 / 3)
    cells = [["1"] * 3] * rows
    one = Panel(values, "n", cells, cells, 1.0, "1")
    fig = maps([one], tokens, ["a", "b", "c"], title="t", axes=("a", "b"), cell=(0, 0), pressed=True)
    height = max(ON_STAGE, LEAST_OF_IT * fig.plotly().layout.height)
    assert height <= 390
    shown = [row for row, label in enumerate(fig.plotly().layout.yaxis.ticktext) if label]
    assert all(below - above >= 20 * rows / (height - ABOVE) for above, below in pairwise(shown))
