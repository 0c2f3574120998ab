"""Waves and pairs of positions: the right numbers in the right places."""

from __future__ import annotations

import numpy as np

from pages.positions.figures import LANE, product_heatmap, wave_lanes
from tests.plotly_figure import checked


def test_each_wave_has_a_lane_the_first_on_top() -> None:
    fine = np.linspace(0, 2, 9)
    dots = [np.array([0.0, 0.5, -1.0]), np.array([1.0, 0.0, 0.25])]
    fig = checked(
        wave_lanes(fine, [fine * 0, fine * 0], dots, ["0 a", "1 a", "2 c"], ["dim 0", "dim 5"], axis="position", picked=2)
    )
    markers = [trace for trace in fig.data if trace.mode == "markers"]
    assert np.allclose(markers[0].y, dots[0])
    assert np.allclose(markers[1].y, dots[1] - LANE)
    assert np.allclose(markers[1].marker.color, dots[1])  # the colour is the value, not the height in the figure
    assert [note.text for note in fig.layout.annotations] == ["<b>−1.00</b>", "<b>0.25</b>"]
    assert list(fig.layout.yaxis.tickvals) == [0, -LANE]
    assert fig.layout.xaxis.title.text == "position"


def test_pairs_are_rows_and_columns_as_given() -> None:
    table = np.array([[4.0, 1.0], [2.0, 4.0]])
    fig = checked(product_heatmap(table, ["0 x", "1 x"], axis="position", ends=(1.0, 4.0), cell=(0, 1)))
    assert np.array_equal(fig.data[0].z, table)
    frame = fig.layout.shapes[-1]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (0.5, 1.5, -0.5, 0.5)  # row 0, column 1
    printed = {(x, y): text for x, y, text in zip(fig.data[1].x, fig.data[1].y, fig.data[1].text, strict=True)}
    assert (printed[1, 0], printed[0, 1]) == ("1", "2")
    assert list(fig.layout.yaxis.range) == [1.5, -0.5]
