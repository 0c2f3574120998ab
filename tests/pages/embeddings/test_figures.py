"""The bars and the map show what the arrays hold."""

from __future__ import annotations

import numpy as np

from pages.embeddings.figures import GAPS, HEIGHT, TALL, WIDTH, _half, _overlap, _places, cosine_bars, map_figure


def test_the_nearest_is_on_top_and_the_axis_ends_at_1() -> None:
    fig = cosine_bars(["kitten", "dog"], [0.6, 0.4], title="", axis="cosine").plotly()
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
        (x, y), half = points[i], _half(labels[i], i < 12)
        boxes.append((x + dx - half, y + dy - TALL, x + dx + half, y + dy + TALL))
    assert set(range(12)) <= set(places) and len(boxes) > 15
    assert not any(_overlap(np.array(box), np.array(boxes[:i]).reshape(i, 4)) for i, box in enumerate(boxes))


def test_the_words_of_the_sentence_are_labelled_however_close_they_are_and_far_labels_have_a_line() -> None:
    at = np.vstack([np.random.default_rng(3).normal(size=(24, 2)) * 0.01, [[-1.0, -1.0], [1.0, 1.0]]])
    labels = [f"word{i:02}" for i in range(26)]
    fig = map_figure(at, labels, range(26), axes=("", ""), highlighted=None).plotly()
    assert {note.text for note in fig.layout.annotations} == {f"<b>{label}</b>" for label in labels}
    for note in fig.layout.annotations:
        half = _half(labels[0], True)
        far = max(abs(note.ax) - half, abs(note.ay) - TALL) > GAPS[0] + 1
        assert far == (note.arrowcolor != "rgba(0,0,0,0)")


def test_the_map_connects_each_neighbour_with_its_token() -> None:
    at = np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.2]])
    fig = map_figure(at, ["cat", "dog", "<i>"], [0, 1, 1], axes=("first", "second"), highlighted=1).plotly()
    assert [(line.x0, line.y0, line.x1, line.y1) for line in fig.layout.shapes] == [(1.0, 1.0, 0.5, 0.2)]
    assert list(fig.data[0].hovertext) == ["cat", "dog", "&lt;i&gt;"]
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("first", "second")
