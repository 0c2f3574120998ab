"""The figures of the residual page: what is on which axis."""

from __future__ import annotations

import numpy as np

from pages.residual.compute import Stop
from pages.residual.feed_forward import column_width, hidden_map, pooled, unit_bars
from pages.residual.layer_norm import norm_strips
from pages.residual.stream import stream_lengths
from tests.plotly_figure import checked

STOPS = [Stop("input", None), Stop("attention", 0), Stop("feed", 0), Stop("attention", 1), Stop("feed", 1), Stop("end", None)]
LENGTHS = np.arange(18, dtype=np.float64).reshape(6, 3) + 1
ADDED = np.where(np.array([[0], [1], [1], [1], [1], [0]]) == 1, LENGTHS / 2, np.nan)


def test_the_picked_token_is_highlighted_and_each_place_keeps_its_order() -> None:
    fig = checked(
        stream_lengths(LENGTHS, ADDED, STOPS, ["a", "a", "$c$"], token=1, stop=3, axes=("length", "added"), layer_name="layer")
    )
    picked = next(trace for trace in fig.data if trace.name == "picked")
    added = next(trace for trace in fig.data if trace.name == "added")
    others = next(trace for trace in fig.data if trace.name == "others")
    assert list(picked.y) == list(LENGTHS[:, 1])
    assert list(added.y[1:5]) == list(ADDED[1:5, 1])
    assert added.yaxis == "y2"
    assert [y for y in others.y if y is not None] == [*LENGTHS[:, 0], *LENGTHS[:, 2]]
    assert "$c$" not in " ".join(others.hovertext)
    assert [text.replace("<b>", "")[:5] for text in fig.layout.xaxis.ticktext][:2] == ["input", "atten"]
    assert "<b>" in fig.layout.xaxis.ticktext[3]
    assert (fig.layout.yaxis.title.text, fig.layout.yaxis2.title.text) == ("length", "added")
    assert fig.layout.yaxis.range[0] == 0
    named = [note.text for note in fig.layout.annotations]
    assert "layer 1" in named and "<b>layer 2</b>" in named


def test_the_axes_end_above_the_picked_token_and_a_note_names_those_that_leave() -> None:
    """⟨/s⟩ grows to 512 and its largest addition to 200: neither may flatten the curve and the bars of the picked token."""
    lengths, added = np.tile([[20.0, 24.0, 512.0, 90.5, 91.0, 300.0]], (6, 1)), np.full((6, 6), 10.0)
    lengths[2, 0], added[:, 2] = 50.0, 200.0
    tokens = ["cat", "sat", "⟨/s⟩", "<b>", "x", "."]
    fig = checked(stream_lengths(lengths, added, STOPS, tokens, token=0, stop=3, axes=("", ""), layer_name=""))
    assert 50 * 1.1 <= fig.layout.yaxis.range[1] <= 50 * 1.6
    assert 10 * 1.1 <= fig.layout.yaxis2.range[1] <= 10 * 1.6
    (note,) = [note.text for note in fig.layout.annotations if note.text.startswith("Beyond")]
    assert note == "Beyond the axis: «⟨/s⟩», up to 512; «.», up to 300; «x», up to 91; 1 more, up to 90"
    assert note in fig.layout.meta["says"]
    others = next(trace for trace in fig.data if trace.name == "others")
    assert 512.0 in others.y  # the numbers drawn stay exact
    whole = checked(stream_lengths(lengths, added, STOPS, tokens, token=2, stop=3, axes=("", ""), layer_name=""))
    assert not [note.text for note in whole.layout.annotations if note.text.startswith("Beyond")]
    assert whole.layout.yaxis.range[1] > 512


def test_numbers_that_overflow_leave_the_axes_with_a_length() -> None:
    unknown = np.full((6, 3), np.nan)
    fig = checked(stream_lengths(unknown, unknown, STOPS, ["a", "b", "c"], token=0, stop=1, axes=("", ""), layer_name=""))
    assert fig.layout.yaxis.range[1] > 0 and fig.layout.yaxis2.range[1] > 0


def test_a_click_on_a_place_carries_its_layer() -> None:
    fig = checked(stream_lengths(LENGTHS, ADDED, STOPS, ["a", "b", "c"], token=0, stop=1, axes=("", ""), layer_name="layer"))
    for targets in fig.data[-2:]:
        assert [data[0] for data in targets.customdata] == [STOPS[int(x)].layer for x in targets.x]


def test_each_stage_of_layer_norm_has_its_own_axis_and_the_same_dimension_highlighted() -> None:
    x = np.array([3.0, -1.0, 0.5, 2.0])
    fig = checked(norm_strips([(x, "before", 4.0), (x / 2, "after", 2.0)], names=["x", "y"], axis="dim", dim=1))
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
    fig = checked(
        hidden_map(
            hidden,
            np.array([1.0, 1.0, 0.999]),
            ["a", "a", "<i>"],
            token=2,
            limit=9.0,
            title="",
            axes=("token", "unit"),
            silent_name="zeros",
        )
    )
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
    fig = checked(
        unit_bars(
            [571, 3],
            np.array([5.4, 1.2]),
            np.array([5.3, 1.0]),
            ["«dem»", "<b>"],
            title="",
            names=("unit", "activation", "adds"),
            unit=0,
            limit=6.0,
        )
    )
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert "unit 572" in fig.layout.yaxis.ticktext[0]
    assert list(fig.data[0].x) == [5.4, 1.2]
    texts = [note.text for note in fig.layout.annotations]
    assert any("5.3" in text and "«dem»" in text for text in texts)
    assert all("   <b>" not in text for text in texts)
