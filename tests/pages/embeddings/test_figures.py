"""The lookup, the bars and the map show what the arrays hold."""

from __future__ import annotations

import numpy as np

from pages.embeddings.figures import HEIGHT, WIDTH, _places, _touch, cosine_bars, lookup_figure, map_figure

ROWS = np.random.default_rng(1).normal(size=(4, 10)).astype(np.float32)


def test_lookup_shows_the_same_numbers_twice() -> None:
    fig = lookup_figure([0, 6, 7, 20], ["⟨pad⟩", "a", "cat", "z"], ROWS, 7, names=("one-hot", "E", "= row 7"), axis="dimension")
    lines = [list(trace.text) for trace in fig.data if trace.type == "scatter"]
    assert len(lines) == 5
    assert lines[4] == lines[2]
    assert lines[2] == [f"{value:.3f}".replace("-", "−") for value in ROWS[2][[0, 1, 2, 3, 4, 5, 9]]]
    assert list(fig.layout.xaxis.ticktext) == ["1", "2", "3", "4", "5", "6", "10"]
    said = [note.text for note in fig.layout.annotations]
    assert (said.count("<b>1</b>"), said.count("0")) == (1, 3)
    assert "7   cat" in fig.layout.yaxis.ticktext[2]
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]  # the first row on top


def test_the_nearest_is_on_top_and_the_axis_ends_at_1() -> None:
    fig = cosine_bars(["kitten", "dog"], [0.6, 0.4], title="", axis="cosine")
    assert list(fig.data[0].x) == [0.6, 0.4]
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert list(fig.layout.xaxis.range) == [0, 1]
    assert [text.strip() for text in fig.layout.yaxis.ticktext] == ["kitten", "dog"]


def test_labels_of_a_map_never_touch() -> None:
    draw = np.random.default_rng(2)
    points = draw.uniform(0, 1, size=(40, 2)) ** 2 * [WIDTH, HEIGHT]
    labels = ["word" * (1 + i % 3) for i in range(40)]
    places = _places(points, labels, range(40), [i < 12 for i in range(40)])
    boxes = []
    for i, (dx, dy) in places.items():
        (x, y), half = points[i], 6.5 * len(labels[i])
        boxes.append((x + dx - half, y + dy - 12, x + dx + half, y + dy + 12))
    assert len(boxes) > 15
    assert not any(_touch(a, b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_the_map_connects_each_neighbour_with_its_token() -> None:
    at = np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.2]])
    fig = map_figure(at, ["cat", "dog", "<i>"], [0, 1, 1], ["#DCEBF7", None, None], axes=("first", "second"), highlighted=1)
    assert [(line.x0, line.y0, line.x1, line.y1) for line in fig.layout.shapes] == [(1.0, 1.0, 0.5, 0.2)]
    assert list(fig.data[0].hovertext) == ["cat", "dog", "&lt;i&gt;"]
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("first", "second")
