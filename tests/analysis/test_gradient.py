"""The gradient of one step's loss against finite differences in float64, and that nobody else's model is touched."""

import copy
from typing import Any, get_args

import numpy as np
import pytest
import torch

from tests.analysis.conftest import explained
from tests.conftest import Traced
from tests.edit_examples import EXAMPLES
from viz_core.analysis.gradient import Matrix, _copy_with, attention_gradient, loss_curve, matrix_gradient
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.model import Transformer
from viz_core.taps import Editor
from viz_core.trace import BLOCK, Kind

STEP, LAYER, HEAD = 3, 0, 2
SMALL = 1e-5
BOTH_NORMS = pytest.mark.parametrize("traced", [("pre", True), ("post", False)], indirect=True)
PLACES = [(kind, matrix) for kind in BLOCK for matrix in get_args(Matrix)]


def loss_of(model: Transformer, ex: Explanation, edits: dict[str, Any] | None = None) -> float:
    """−ln p of the expected token, from a pass of its own."""
    with torch.inference_mode():
        log_probs = model(torch.tensor([ex.source.ids]), torch.tensor([ex.target.ids]), Editor(edits or {}))
    return -float(log_probs[0, STEP, ex.output[STEP].id])


@BOTH_NORMS
@pytest.mark.parametrize(("kind", "matrix"), PLACES, ids=str)
def test_the_gradient_of_a_weight_is_the_finite_difference(traced: Traced, ex: Explanation, kind: Kind, matrix: Matrix) -> None:
    model = traced[0]
    found = matrix_gradient(model, ex, STEP, kind, LAYER, HEAD, matrix)
    i, j = found.steepest
    exact = copy.deepcopy(model).double()
    stack, block = BLOCK[kind]
    feed = matrix in ("w_1", "w_2")
    weight = exact.get_submodule(f"{stack}.layers.{LAYER}.{'ffn' if feed else block}.{matrix}").get_parameter("weight")
    first = 0 if feed else HEAD * model.config.d_k
    row, column = (j, i + first) if matrix == "w_o" else (j + first, i)
    assert float(weight[row, column]) == found.weights[i, j]
    losses = []
    with torch.no_grad():
        for step in (SMALL, -2 * SMALL):
            weight[row, column] += step
            losses.append(loss_of(exact, ex))
    assert found.gradient[i, j] == pytest.approx((losses[0] - losses[1]) / (2 * SMALL), rel=1e-5)
    assert found.gradient[i, j] == pytest.approx(float(found.y_gradient[:, j] @ found.x[:, i]), rel=1e-9)
    at = float(found.weights[i, j])
    curve = loss_curve(model, ex, STEP, kind, LAYER, HEAD, matrix, (i, j), (at + SMALL, at, at - SMALL))
    assert curve[[0, 2]] == pytest.approx(losses, abs=1e-12)
    assert curve[1] == pytest.approx(found.loss, abs=1e-12)
    assert found.loss == pytest.approx(-float(ex.trace["output.log_probs"][0, STEP, ex.output[STEP].id]), abs=1e-5)


@BOTH_NORMS
@pytest.mark.parametrize("kind", BLOCK)
def test_rows_of_the_attention_gradient_are_queries(traced: Traced, ex: Explanation, kind: Kind) -> None:
    model, (stack, block) = traced[0], BLOCK[kind]
    found = attention_gradient(model, ex, STEP, kind, LAYER)
    shape = ex.trace.attention(kind, LAYER).weights.shape
    rows, columns = (shape[1], shape[2]) if kind == "self" else (STEP + 1, STEP + 1 if kind == "masked" else shape[2])
    assert found.shape == (shape[0], rows, columns)
    exact = copy.deepcopy(model).double()
    for query, key in ((rows - 1, 0), (rows - 1, columns - 1), (1, 0)):
        losses = []
        for step in (SMALL, -SMALL):
            more = torch.zeros(1, shape[0], *shape[1:], dtype=torch.float64)
            more[0, HEAD, query, key] = step
            losses.append(loss_of(exact, ex, {f"{stack}.{LAYER}.{block}.weights": lambda weights, more=more: weights + more}))
        assert found[HEAD, query, key] == pytest.approx((losses[0] - losses[1]) / (2 * SMALL), rel=1e-3, abs=1e-6)


def test_the_shared_model_is_never_touched(model: Transformer, checkpoint: Checkpoint) -> None:
    ex = explained(checkpoint, model)
    before = {name: each.clone() for name, each in model.state_dict().items()}
    parameters = {name: id(each) for name, each in model.named_parameters()}
    place: Any = (model, ex, STEP, "cross", LAYER, HEAD, "w_v")
    found = matrix_gradient(*place)
    loss_curve(*(*place, found.steepest, (0.0, 9.0)))
    attention_gradient(*place[:5])
    twin, _ = _copy_with(model, "cross", LAYER, "w_v")
    assert not set(map(id, twin.modules())) & set(map(id, model.modules()))
    assert not {each.data_ptr() for each in twin.parameters()} & {each.data_ptr() for each in model.parameters()}
    assert {name: id(each) for name, each in model.named_parameters()} == parameters
    assert all(each.grad is None and not each.requires_grad for each in model.parameters())
    assert all(torch.equal(each, before[name]) for name, each in model.state_dict().items())


@pytest.mark.parametrize("name", ["heads", "layers", "no_causal_mask", "no_padding_mask", "no_layer_norm", "force"])
def test_the_edits_act_here_too(model: Transformer, checkpoint: Checkpoint, name: str) -> None:
    ex = explained(checkpoint, model, EXAMPLES[name])
    for kind in BLOCK:
        found = matrix_gradient(model, ex, STEP, kind, LAYER, HEAD, "w_q")
        assert found.loss == pytest.approx(-float(ex.trace["output.log_probs"][0, STEP, ex.output[STEP].id]), abs=1e-4)
        (loss,) = loss_curve(model, ex, STEP, kind, LAYER, HEAD, "w_q", (0, 0), (float(found.weights[0, 0]),))
        assert loss == pytest.approx(found.loss, abs=1e-9)
        assert np.isfinite(attention_gradient(model, ex, STEP, kind, LAYER)).all()
