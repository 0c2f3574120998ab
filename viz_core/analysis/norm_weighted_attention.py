"""Norm-weighted attention: weight times the length of the transformed value vector (Kobayashi et al. 2020)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.model.transformer import Transformer
from viz_core.trace import BLOCK, Doubles, Kind, Trace


def transformed_values(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """f(x) = (x W^V + b^V) W^O of every key, for each head with its rows of W^O (Kobayashi et al. 2020, §2.2, eq. 4); derived.

    Returns:
        (h, Tk, D). Σ over heads and keys of weight · f(x), and b^O, are what leaves the block.
    """
    v = trace.attention(kind, layer).v.astype(np.float64)  # (h, Tk, d_k)
    weight = _output_projection(model, kind, layer).weight.detach().double().numpy()
    moved: Doubles = v @ weight.T.reshape(len(v), -1, trace.config.d_model)  # rows of W^O of each head: (h, d_k, D)
    return moved


def _output_projection(model: Transformer, kind: Kind, layer: int) -> Any:
    stack, block = BLOCK[kind]
    return model.get_submodule(f"{stack}.layers.{layer}.{block}.w_o")


def norm_weighted(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """‖α f(x)‖ for each head, query and key (Kobayashi et al. 2020, §3), (h, Tq, Tk); derived. Rows do not sum to 1."""
    lengths = np.linalg.norm(transformed_values(model, trace, kind, layer), axis=-1)  # (h, Tk)
    return trace.attention(kind, layer).weights.astype(np.float64) * lengths[:, None]


def norm_weighted_layer(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """‖Σ_heads α f(x)‖, for a block as a whole, (Tq, Tk); derived. Heads may cancel out: no more than the sum of their lengths."""
    weights = trace.attention(kind, layer).weights.astype(np.float64)
    together = np.einsum("hqk,hkd->qkd", weights, transformed_values(model, trace, kind, layer))
    lengths: Doubles = np.linalg.norm(together, axis=-1)
    return lengths


def reaches_output(model: Transformer, trace: Trace, kind: Kind, layer: int) -> npt.NDArray[np.bool_]:
    """Whether each head's output reaches the block's output, (h,): False where an edit removed the head or the whole block."""
    w_o, attention = _output_projection(model, kind, layer), trace.attention(kind, layer)
    mixed = np.isclose(attention.mix, attention.weights @ attention.v, rtol=1e-3, atol=1e-4).all((1, 2))  # (h,)
    joined = attention.mix.transpose(1, 0, 2).reshape(len(attention.out), -1)  # (Tq, D)
    left = joined @ w_o.weight.detach().numpy().T + w_o.bias.detach().numpy()
    reached: npt.NDArray[np.bool_] = mixed & np.isclose(attention.out, left, rtol=1e-3, atol=1e-3).all()
    return reached


def column_share(values: npt.NDArray[np.floating[Any]], key: int) -> float:
    """Share of a map's sum, (Tq, Tk), in the column of one key; 0 if the sum is 0; derived."""
    whole = float(values.sum(dtype=np.float64))
    return float(values[:, key].sum(dtype=np.float64)) / whole if whole else 0.0
