"""The download of each view has the numbers that its figures show."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded
from tests.payloads import unpacked


@pytest.fixture
def view(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    return recorded(monkeypatch, "residual", text="The cat is sleeping.", show=request.param, stack="decoder", step="3", layer="2")


@pytest.mark.parametrize("view", ["stream"], indirect=True)
def test_lengths_of_the_stream(view: Recorded) -> None:
    tensors, about = unpacked(view.parts["residual_stream"])
    assert about["stack"] == "decoder"
    assert [row["token"] for row in view.tables["lengths"][:3]] == about["tokens"][:3]
    own = [row for row in view.tables["lengths"] if row["position"] == "3"]
    assert len(view.tables["lengths"]) == 3 * len(own), "those that the decoder has read"
    assert np.allclose(tensors["lengths"][:, 2], [float(row["length"]) for row in own])
    added = [float(row["added_length"] or "nan") for row in own]
    assert np.allclose(tensors["added"][:, 2], added, equal_nan=True)


@pytest.mark.parametrize("view", ["norm"], indirect=True)
def test_stages_of_layer_norm(view: Recorded) -> None:
    tensors, about = unpacked(view.parts["layer_norm"])
    for name, tensor in (("x", "x"), ("output", "out")):
        assert np.allclose(tensors[tensor][1, 2], view.column("norm", name)), about["tokens"][2]
    assert np.allclose(tensors["gamma"][1], view.column("norm", "gamma"))


@pytest.mark.parametrize("view", ["ffn"], indirect=True)
def test_hidden_units(view: Recorded) -> None:
    tensors, _ = unpacked(view.parts["feed_forward"])
    drawn = tensors["columns"][1, :3]
    hidden = np.array(view.column("hidden", "activation")).reshape(len(drawn), -1)
    assert np.allclose(drawn, hidden.reshape(len(drawn), drawn.shape[1], -1).max(-1))
    strongest = [int(row["unit"]) - 1 for row in view.tables["units"]]
    assert strongest == tensors["units"][1, 2].tolist()
    for name, column in (("strengths", "activation"), ("lengths", "added_length")):
        assert np.allclose(tensors[name][1, 2], view.column("units", column))
    assert np.allclose(hidden[-1, strongest], view.column("units", "activation"))
