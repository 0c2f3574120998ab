"""Norm-weighted attention against the block's own output layer, one head and one key at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from viz_core.analysis.attention import (
    column_share,
    norm_weighted,
    norm_weighted_layer,
    reaches_output,
    transformed_values,
)
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head, Sublayer
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.trace import BLOCK, Kind, Trace

Traced = tuple[Transformer, Trace]
KINDS: tuple[Kind, ...] = ("self", "masked", "cross")


@pytest.mark.parametrize("kind", KINDS)
def test_what_all_heads_move_from_all_keys_leaves_the_block(traced: Traced, kind: Kind) -> None:
    model, trace = traced
    stack, block = BLOCK[kind]
    for layer in range(trace.config.n_layers):
        w_o: Any = model.get_submodule(f"{stack}.layers.{layer}.{block}.w_o")
        seen = trace.attention(kind, layer)
        moved = np.einsum("hqk,hkd->qd", seen.weights, transformed_values(model, trace, kind, layer)) + w_o.bias.numpy()
        assert moved == pytest.approx(seen.out, abs=1e-5)


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


def test_what_an_edit_takes_out_does_not_arrive(checkpoint: Checkpoint) -> None:
    whole = Sublayer("decoder", 1, "cross_attn")
    edits = Edits(heads={Head("cross", 0, 2)}, sublayers={whole}, no_layer_norm=True)
    trace = explain(checkpoint, "the otter paints", edits=edits).trace
    found = {(kind, layer): reaches_output(checkpoint.model, trace, kind, layer).tolist() for kind in KINDS for layer in (0, 1)}
    assert found.pop(("cross", 0)) == [True, True, False, True]
    assert found.pop(("cross", 1)) == [False] * 4
    assert all(all(heads) for heads in found.values())


def test_the_share_of_a_column() -> None:
    assert column_share(np.array([[1.0, 3.0], [0.0, 4.0]]), 1) == 7 / 8
