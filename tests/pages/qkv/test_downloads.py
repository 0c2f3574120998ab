"""The downloads have the numbers of the three matrices that are drawn, and these are exact."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.app.answers import at


@pytest.mark.parametrize(("kind", "role"), [("self", "q"), ("cross", "k")])
def test_x_w_and_y(kind: str, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "qkv", text="The cat is sleeping.", kind=kind, role=role, layer="2", head="3")
    tensors, about = unpacked(shown.parts["qkv"])
    assert (about["kind"], about["role"]) == (kind, role)
    w = unpacked(at(f"/data/projection_weights?model=en-de&kind={kind}&role={role}&layer=1&head=2"))[0]["w"]
    x, y = tensors["x"][min(1, len(tensors["x"]) - 1)], tensors["y"][1, 2]
    assert np.allclose(x.reshape(-1), shown.column("entering", "value"))
    assert np.allclose(y.reshape(-1), shown.column("projected", "value"))
    assert about["tokens"] == [row["token"] for row in shown.tables["projected"][:: y.shape[1]]]
    weights = [float(row["value"]) for row in shown.tables["weights"] if row["model_dimension"]]
    biases = [float(row["value"]) for row in shown.tables["weights"] if not row["model_dimension"]]
    assert np.allclose(w.reshape(-1), weights)
    assert np.allclose(x @ w + biases, y, atol=1e-4)
