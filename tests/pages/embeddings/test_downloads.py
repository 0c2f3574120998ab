"""The download of each view has the numbers that its figure shows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded
from tests.payloads import unpacked
from viz_core.app.chosen import DEFAULT_TOKEN

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
    strips = unpacked(view.parts["vector_table"])[0]["vectors"][DEFAULT_TOKEN - 1]
    for index, name in enumerate(("stored", "scaled", "position")):
        assert np.allclose(strips[index], view.column("vectors", name))


@pytest.mark.parametrize("view", ["near"], indirect=True)
def test_neighbours(view: Recorded) -> None:
    tensors, about = unpacked(view.parts["neighbours"])
    row = tensors["which"][DEFAULT_TOKEN - 1]
    assert tensors["cosines"][row] == pytest.approx(view.column("neighbours", "cosine"))
    drawn = [(about["labels"][i], str(tensors["ids"][i])) for i in tensors["neighbours"][row]]
    assert [(line["token"], line["id"]) for line in view.tables["neighbours"]] == drawn


@pytest.mark.parametrize("view", ["map"], indirect=True)
def test_places_on_the_map(view: Recorded) -> None:
    tensors, about = unpacked(view.parts["word_map"])
    assert np.allclose(tensors["at"][:, 0], view.column("map", "first"))
    assert np.allclose(tensors["at"][:, 1], view.column("map", "second"))
    assert [line["token"] for line in view.tables["map"]] == about["labels"]
    assert [line["neighbour_of"] for line in view.tables["map"]] == [about["labels"][i] for i in tensors["owner"]]
