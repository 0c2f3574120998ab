"""The figures of the residual page: what is on which axis."""

from __future__ import annotations

import numpy as np

from pages.residual.feed_forward import column_width, hidden_map, pooled, unit_bars
from pages.residual.layer_norm import norm_strips


def test_each_stage_of_layer_norm_has_its_own_axis_and_the_same_dimension_highlighted() -> None:
    x = np.array([3.0, -1.0, 0.5, 2.0])
    fig = norm_strips([(x, "before", 4.0), (x / 2, "after", 2.0)], names=["x", "y"], axis="dim", dim=1).plotly()
    assert list(fig.data[0].y) == list(x)
    assert list(fig.data[1].y) == list(x / 2)
    assert fig.layout.yaxis.range == (-4, 4)
    assert fig.layout.yaxis2.range == (-2, 2)
    assert fig.data[0].marker.color[1] == fig.data[1].marker.color[1] != fig.data[0].marker.color[0]
    assert fig.layout.xaxis.title.text == "dim"
    assert [data[0] for data in fig.data[0].customdata] == [0, 1, 2, 3]
    assert "<b>−1.00</b>" in [note.text for note in fig.layout.annotations]


def test_pooling_keeps_the_strongest_of_neighbours() -> None:
    hidden = np.zeros((2, 1024), dtype=np.float32)
    hidden[1, 401] = 5.0
    values, width = pooled(hidden)
    assert (values.shape, width, column_width(1024)) == ((2, 256), 4, 4)
    assert values[1, 100] == 5.0
    assert values.sum() == 5.0
    assert column_width(200) == 1
    assert pooled(np.ones((3, 1001)))[0].shape[0] == 3


def test_rows_of_the_map_are_tokens_and_columns_units() -> None:
    hidden = np.zeros((3, 1024), dtype=np.float32)
    hidden[2, 400] = 7.0
    fig = hidden_map(
        hidden,
        np.array([1.0, 1.0, 0.999]),
        ["a", "a", "<i>"],
        token=2,
        limit=9.0,
        title="",
        axes=("token", "unit"),
        silent_name="zeros",
    ).plotly()
    heat = fig.data[0]
    assert np.asarray(heat.z).shape == (3, 256)
    assert np.asarray(heat.z)[2, 100] == 7.0
    assert heat.x0 + 100 * heat.dx == 402.5  # the middle of units 401 to 404
    assert (heat.zmin, heat.zmax) == (0, 9)
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis.title.text) == ("token", "unit")
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert "&lt;i&gt;" in fig.layout.yaxis.ticktext[2]
    assert [data[0] for data in fig.data[1].customdata[::6]] == [0, 1, 2]
    assert "99.9 %" in " ".join(note.text for note in fig.layout.annotations)


def test_the_strongest_unit_is_on_top_with_what_it_adds() -> None:
    fig = unit_bars(
        [571, 3],
        np.array([5.4, 1.2]),
        np.array([5.3, 1.0]),
        ["«dem»", "<b>"],
        title="",
        names=("unit", "activation", "adds"),
        unit=0,
        limit=6.0,
    ).plotly()
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert "unit 572" in fig.layout.yaxis.ticktext[0]
    assert list(fig.data[0].x) == [5.4, 1.2]
    texts = [note.text for note in fig.layout.annotations]
    assert any("5.3" in text and "«dem»" in text for text in texts)
    assert all("   <b>" not in text for text in texts)
