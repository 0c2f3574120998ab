"""The derived numbers of each stage of an attention, as its figures show them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded


@pytest.fixture
def stage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    text = "The cat is sleeping."
    return recorded(monkeypatch, "self_attention", text=text, stage=request.param, layer="2", head="3", cell="2-3")


@pytest.mark.parametrize("stage", ["scores"], indirect=True)
def test_products_of_query_and_key(stage: Recorded) -> None:
    drawn = [np.asarray(trace.y, dtype=float) for trace in stage.figures["products"].data if trace.y is not None]
    assert any(len(each) == 32 and np.allclose(each, stage.column("products", "product")) for each in drawn)


@pytest.mark.parametrize("stage", ["scaled"], indirect=True)
def test_weights_with_and_without_scaling(stage: Recorded) -> None:
    bars = [np.asarray(trace.y, dtype=float) for trace in stage.figures["unscaled"].data if trace.type == "bar"]
    assert np.allclose(bars[0], stage.column("unscaled", "weight"))
    assert np.allclose(bars[1], stage.column("unscaled", "unscaled_weight"))


@pytest.mark.parametrize("stage", ["mix"], indirect=True)
def test_weighted_values_sum_up_to_the_mix(stage: Recorded) -> None:
    keys = [row for row in stage.tables["mixing"] if row["key"]]
    total = [float(row["weighted_value"]) for row in stage.tables["mixing"] if not row["key"]]
    taken = np.array([float(row["weighted_value"]) for row in keys]).reshape(-1, len(total))
    assert np.allclose(taken.sum(0), total, atol=1e-5)
    drawn = [np.asarray(trace.z, dtype=float) for trace in stage.figures["mix"].data if trace.type == "heatmap"]
    assert any(each.shape == taken.shape and np.allclose(each, taken, atol=1e-5) for each in drawn)
    assert any(each.size == len(total) and np.allclose(each.reshape(-1), total, atol=1e-5) for each in drawn)
