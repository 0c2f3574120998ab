"""The download of each view has the numbers that its figure shows."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded
from tests.payloads import unpacked


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
    assert np.allclose(np.asarray(view.figures["figure"].data[0].z).reshape(-1), view.column("matrix", "value"))


@pytest.mark.parametrize("view", ["product"], indirect=True)
def test_dot_products(view: Recorded) -> None:
    assert np.allclose(np.asarray(view.figures["figure"].data[0].z).reshape(-1), view.column("products", "product"))


@pytest.mark.parametrize("view", ["sum"], indirect=True)
def test_sum(view: Recorded) -> None:
    strips = next(np.asarray(trace.z) for trace in view.figures["figure"].data if trace.xaxis == "x2")
    for index, name in enumerate(("embedding", "position", "input")):
        assert np.allclose(strips[index], view.column("sum", name))
