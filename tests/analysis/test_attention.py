"""The arithmetic of a cell and its row, and norm-weighted attention."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.conftest import Traced
from viz_core.analysis.attention import cell, entropy, norm_weighted, norm_weighted_layer, unscaled_weights
from viz_core.checkpoint import Checkpoint
from viz_core.explain import traced_pass
from viz_core.trace import BLOCK, Kind, Trace

KINDS: tuple[Kind, ...] = ("self", "masked", "cross")
SOURCES, TARGETS = [[300, 301, 302, 303, 2], [310, 311, 2]], [[1, 330, 331], [1, 340, 341, 342, 343, 344]]


@pytest.fixture(scope="module")
def trace(checkpoint: Checkpoint) -> Trace:
    """Two sentences in one batch; the source of the second and the target of the first have padding."""
    return traced_pass(checkpoint, SOURCES, TARGETS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_is_the_softmax_of_its_products(trace: Trace, kind: Kind) -> None:
    seen = trace.attention(kind, 1, row=1)
    one = cell(seen, 2, 1, 1)
    assert one.products.shape == (trace.config.d_k,)
    assert one.products.sum() == pytest.approx(one.score, rel=1e-4, abs=1e-5)
    assert one.score / np.sqrt(trace.config.d_k) == pytest.approx(one.scaled, rel=1e-5)
    assert one.exp / one.total == pytest.approx(one.weight, rel=1e-5)


def test_a_row_leaves_out_what_is_masked(trace: Trace) -> None:
    seen = trace.attention("masked", 0, row=0)  # three real tokens, three of padding
    allowed, root = seen.mask[2], np.sqrt(trace.config.d_k)
    assert allowed.tolist() == [True, True, True, False, False, False]
    np.testing.assert_allclose(unscaled_weights(seen.scores[1, 2] / root, allowed), seen.weights[1, 2], rtol=1e-5)
    assert not unscaled_weights(seen.scores[1, 2], allowed & False).any()


def test_entropy_in_bits() -> None:
    assert entropy(np.array([1.0, 0.0])) == 0
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(3)


@pytest.mark.parametrize("kind", KINDS)
def test_each_cell_is_the_length_of_what_one_head_moves_from_one_key(traced: Traced, kind: Kind) -> None:
    model, trace = traced
    stack, block = BLOCK[kind]
    w_o: Any = model.get_submodule(f"{stack}.layers.1.{block}.w_o")
    seen = trace.attention(kind, 1)
    heads, query, key = trace.config.n_heads, 2, 1
    found, together = norm_weighted(model, trace, kind, 1), norm_weighted_layer(model, trace, kind, 1)
    assert found.shape == seen.weights.shape and together.shape == seen.weights.shape[1:]
    every = np.zeros(trace.config.d_model)
    for head in range(heads):
        mix = torch.zeros(heads, trace.config.d_k)
        mix[head] = torch.tensor(seen.weights[head, query, key] * seen.v[head, key])
        moved = (w_o(mix.flatten()) - w_o.bias).numpy()
        every += moved
        assert found[head, query, key] == pytest.approx(float(np.linalg.norm(moved)), abs=1e-5)
    assert together[query, key] == pytest.approx(float(np.linalg.norm(every)), abs=1e-5)
