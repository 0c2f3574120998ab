"""Pairs of positions: the right numbers in the right places."""

from __future__ import annotations

import numpy as np

from pages.positions.figures import product_heatmap


def test_pairs_are_rows_and_columns_as_given() -> None:
    table = np.array([[4.0, 1.0], [2.0, 4.0]])
    fig = product_heatmap(table, ["0 x", "1 x"], axis="position", ends=(1.0, 4.0), cell=(0, 1)).plotly()
    assert np.array_equal(fig.data[0].z, table)
    frame = fig.layout.shapes[-1]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (0.5, 1.5, -0.5, 0.5)  # row 0, column 1
    printed = {(x, y): text for x, y, text in zip(fig.data[1].x, fig.data[1].y, fig.data[1].text, strict=True)}
    assert (printed[1, 0], printed[0, 1]) == ("1", "2")
    targets = fig.data[2]
    clicked = {(x, y): data for x, y, data in zip(targets.x, targets.y, targets.customdata, strict=True)}
    assert list(clicked[1, 0]) == [0, 1], "row, column"
    assert targets.hovertext[1] == "«0 x» · «1 x» = 1.00"
    assert list(fig.layout.yaxis.range) == [1.5, -0.5]
