"""The download of each view has the numbers that its figure shows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded
from tests.payloads import unpacked
from viz_core.app.chosen import DEFAULT_TOKEN


@pytest.fixture
def view(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    return recorded(monkeypatch, "positions", text="The cat is sleeping.", show=request.param)


@pytest.mark.parametrize("view", ["waves"], indirect=True)
def test_dots_of_the_waves(view: Recorded) -> None:
    tensors, about = unpacked(view.parts["waves"])
    assert np.allclose(tensors["points"].reshape(-1), view.column("waves", "value"))
    drawn = [(str(wave["dim"]), token) for wave in about["waves"] for token in about["tokens"]]
    assert [(row["dimension"], row["token"]) for row in view.tables["waves"]] == drawn


@pytest.mark.parametrize("view", ["matrix"], indirect=True)
def test_matrix(view: Recorded) -> None:
    assert np.allclose(unpacked(view.parts["vector_matrix"])[0]["values"].reshape(-1), view.column("matrix", "value"))


@pytest.mark.parametrize("view", ["product"], indirect=True)
def test_dot_products(view: Recorded) -> None:
    assert np.allclose(unpacked(view.parts["vector_matrix"])[0]["values"].reshape(-1), view.column("products", "product"))


@pytest.mark.parametrize("view", ["sum"], indirect=True)
def test_sum(view: Recorded) -> None:
    strips = unpacked(view.parts["vector_table"])[0]["vectors"][DEFAULT_TOKEN - 1]
    for index, name in enumerate(("embedding", "position", "input")):
        assert np.allclose(strips[index], view.column("sum", name))


@pytest.mark.parametrize("view", ["waves", "matrix", "sum"], indirect=True)
def test_dimensions_count_from_one_as_on_all_pages(view: Recorded) -> None:
    """In the drawing and in the file; the formula's own counting is stated beside it."""
    (about,) = (unpacked(payload)[1] for name, payload in view.parts.items() if name in ("waves", "vector_matrix", "vector_table"))
    first = about["waves"][0]["dim"] if "waves" in about else about["first"]
    (table,) = view.tables.values()
    assert first == min(int(row["dimension"]) for row in table) == 1
    assert "token" not in table[0] or min(int(row["position"]) for row in table) == 0
