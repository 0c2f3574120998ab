"""The derived numbers of each stage of an attention."""

import numpy as np
import pytest

from tests.pages.recorded import Recorded, recorded


@pytest.fixture
def stage(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    text = "The cat is sleeping."
    return recorded(monkeypatch, "self_attention", text=text, stage=request.param, layer="2", head="3", cell="2-3")


@pytest.mark.parametrize("stage", ["scores"], indirect=True)
def test_products_of_query_and_key(stage: Recorded) -> None:
    q, k, product = (np.array(stage.column("products", name)) for name in ("q", "k", "product"))
    assert len(q) == 32 and np.allclose(q * k, product, atol=1e-5)


@pytest.mark.parametrize("stage", ["scaled"], indirect=True)
def test_weights_with_and_without_scaling(stage: Recorded) -> None:
    scores, weights, other = (np.array(stage.column("unscaled", name)) for name in ("score", "weight", "unscaled_weight"))
    for found, powers in ((weights, np.exp(scores / np.sqrt(32))), (other, np.exp(scores))):
        assert np.allclose(found, powers / powers.sum(), atol=1e-5)


@pytest.mark.parametrize("stage", ["mix"], indirect=True)
def test_weighted_values_sum_up_to_the_mix(stage: Recorded) -> None:
    keys = [row for row in stage.tables["mixing"] if row["key"]]
    total = [float(row["weighted_value"]) for row in stage.tables["mixing"] if not row["key"]]
    taken = np.array([float(row["weighted_value"]) for row in keys]).reshape(-1, len(total))
    assert np.allclose(taken.sum(0), total, atol=1e-5)
