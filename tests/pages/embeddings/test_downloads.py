"""The download of each view has the numbers that its figure shows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded
from tests.payloads import unpacked

TEXT = "The cat is sleeping."


@pytest.fixture
def view(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    return recorded(monkeypatch, "embeddings", text=TEXT, show=request.param)


def test_rows_of_the_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "embeddings", text=TEXT, show="lookup", token="2")
    tensors, about = unpacked(view.parts["lookup"])
    window = tensors["windows"][1]
    drawn = {int(tensors["ids"][i]): (about["labels"][i], *tensors["rows"][i].tolist()) for i in window}
    columns = {str(column + 1) for column in tensors["columns"]}
    offered: dict[int, list[object]] = {}
    for row in view.tables["window"]:
        if row["dimension"] in columns:
            offered.setdefault(int(row["id"]), [row["token"]]).append(float(row["value"]))
    assert {i: pytest.approx(numbers) for i, numbers in offered.items()} == {i: list(numbers) for i, numbers in drawn.items()}


@pytest.mark.parametrize("view", ["scaled"], indirect=True)
def test_stored_and_scaled_row(view: Recorded) -> None:
    strips = next(np.asarray(trace.z) for trace in view.figures["figure"].data if trace.xaxis == "x2")
    for index, name in enumerate(("stored", "scaled", "position")):
        assert np.allclose(strips[index], view.column("vectors", name))


@pytest.mark.parametrize("view", ["near"], indirect=True)
def test_neighbours(view: Recorded) -> None:
    assert list(view.figures["figure"].data[0].x) == view.column("neighbours", "cosine")
    assert [row["token"] + " " for row in view.tables["neighbours"]] == list(view.figures["figure"].layout.yaxis.ticktext)


@pytest.mark.parametrize("view", ["map"], indirect=True)
def test_places_on_the_map(view: Recorded) -> None:
    points = next(trace for trace in view.figures["figure"].data if trace.mode == "markers")
    assert np.allclose(points.x, view.column("map", "first"))
    assert np.allclose(points.y, view.column("map", "second"))
    assert [row["token"] for row in view.tables["map"]] == list(points.hovertext)
