"""What is derived from the trace for the attention pages, against an independent computation."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest

from pages.masked_attention.compute import mask_reasons
from pages.qkv.compute import Role, projection
from viz_core.analysis.attention import cell, entropy, softmax_row, strongest_key, unscaled_weights
from viz_core.checkpoint import Checkpoint
from viz_core.config import PAD_ID
from viz_core.edits import Edits, site_edits
from viz_core.explain import traced_pass
from viz_core.model import Transformer
from viz_core.trace import Kind, Trace

MakeModel = Callable[..., Transformer]
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
    row = softmax_row(seen, 1, 2)
    assert row.allowed.tolist() == [True, True, True, False, False, False]
    assert np.isnan(row.exp[3:]).all() and not row.weights[3:].any()
    np.testing.assert_allclose(row.exp[:3] / np.nansum(row.exp), row.weights[:3], rtol=1e-5)
    assert strongest_key(seen, 1, 2) == row.weights.argmax()
    assert len(softmax_row(seen, 1, 1, keys=2).scores) == 2


def test_without_scaling_is_the_softmax_of_the_raw_scores(trace: Trace) -> None:
    row = softmax_row(trace.attention("self", 1, row=1), 0, 0)
    raw = np.exp(row.scores[:3].astype(np.float64))
    np.testing.assert_allclose(unscaled_weights(row), [*(raw / raw.sum()), 0, 0])
    assert entropy(unscaled_weights(row)) < entropy(row.weights)


def test_entropy_in_bits() -> None:
    assert entropy(np.array([1.0, 0.0])) == 0
    assert entropy(np.full(8, 1 / 8)) == pytest.approx(3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("role", ["q", "k", "v"])
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_x_times_w_and_bias_is_what_was_recorded(
    checkpoint: Checkpoint, make_model: MakeModel, kind: Kind, role: Role, norm: str
) -> None:
    model = make_model(norm=norm)
    trace = traced_pass(dataclasses.replace(checkpoint, model=model), SOURCES[:1], TARGETS[:1])
    for layer in range(trace.config.n_layers):
        made = projection(model, trace, kind, layer, 3, role)
        assert made.weight.shape == (trace.config.d_model, trace.config.d_k)
        np.testing.assert_allclose(made.x @ made.weight + made.bias, made.y, atol=1e-5)


def test_in_cross_attention_only_the_queries_come_from_the_decoder(checkpoint: Checkpoint, trace: Trace) -> None:
    origins = [projection(checkpoint.model, trace, "cross", 0, 0, role).origin for role in ("q", "k", "v")]
    assert origins == ["decoder", "memory", "memory"]
    assert {projection(checkpoint.model, trace, "masked", 0, 0, role).origin for role in ("q", "k", "v")} == {"decoder"}


def test_causal_and_padding_together_are_the_recorded_mask(trace: Trace) -> None:
    for row, target in enumerate(TARGETS):
        causal, padding = mask_reasons([*target, *[PAD_ID] * (6 - len(target))])
        np.testing.assert_array_equal(causal & padding, trace.attention("masked", 1, row).mask)


def test_the_open_mask_opens_every_layer_and_nothing_else(checkpoint: Checkpoint) -> None:
    edited = traced_pass(checkpoint, SOURCES[:1], TARGETS[:1], site_edits(Edits(no_causal_mask=True), checkpoint.config))
    real = traced_pass(checkpoint, SOURCES[:1], TARGETS[:1])
    for layer in range(checkpoint.config.n_layers):
        assert edited.attention("masked", layer).mask.all()
        assert (edited.attention("masked", layer).weights[:, 0, 1:] > 0).all()
    np.testing.assert_array_equal(edited.array("encoder.memory"), real.array("encoder.memory"))
