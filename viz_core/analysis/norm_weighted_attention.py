"""Norm-weighted attention: weight times the length of the transformed value vector (Kobayashi et al. 2020)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from viz_core.trace import BLOCK, Kind, Trace

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer

Doubles = npt.NDArray[np.float64]


def transformed_values(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """f(x) = (x W^V + b^V) W^O of every key, for each head with its rows of W^O (Kobayashi et al. 2020, §2.2, eq. 4); derived.

    Returns:
        (h, Tk, D). Σ over heads and keys of weight · f(x), and b^O, are what leaves the block.
    """
    stack, block = BLOCK[kind]
    layers = model.encoder.layers if stack == "encoder" else model.decoder.layers
    w_o: Any = layers[layer].get_submodule(f"{block}.w_o")
    v = trace.attention(kind, layer).v.astype(np.float64)  # (h, Tk, d_k)
    rows = w_o.weight.detach().double().numpy().T.reshape(len(v), -1, trace.config.d_model)  # (h, d_k, D)
    moved: Doubles = v @ rows
    return moved


def norm_weighted(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """‖α f(x)‖ for each head, query and key (Kobayashi et al. 2020, §3); derived.

    A great weight on a key whose vector is short moves little: weights alone overstate it.

    Returns:
        (h, Tq, Tk), lengths, not shares: their rows do not sum to 1.
    """
    lengths = np.linalg.norm(transformed_values(model, trace, kind, layer), axis=-1)  # (h, Tk)
    return trace.attention(kind, layer).weights.astype(np.float64) * lengths[:, None]


def norm_weighted_layer(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """‖Σ_heads α f(x)‖: length of what all heads of a block together take from each key, (Tq, Tk); derived.

    Heads may pull against each other, so this is no more than the sum of their lengths.
    """
    weights = trace.attention(kind, layer).weights.astype(np.float64)
    together = np.einsum("hqk,hkd->qkd", weights, transformed_values(model, trace, kind, layer))
    lengths: Doubles = np.linalg.norm(together, axis=-1)
    return lengths


def reaches_output(model: Transformer, trace: Trace, kind: Kind, layer: int) -> npt.NDArray[np.bool_]:
    """Whether each head's output reaches the block's output, (h,): False where an edit removed the head or the whole block."""
    stack, block = BLOCK[kind]
    w_o: Any = model.get_submodule(f"{stack}.layers.{layer}.{block}.w_o")
    seen = trace.attention(kind, layer)
    mixed = np.isclose(seen.mix, seen.weights @ seen.v, rtol=1e-3, atol=1e-4).all((1, 2))  # (h,)
    joined = seen.mix.transpose(1, 0, 2).reshape(len(seen.out), -1)  # (Tq, D)
    left = joined @ w_o.weight.detach().numpy().T + w_o.bias.detach().numpy()
    reached: npt.NDArray[np.bool_] = mixed & np.isclose(seen.out, left, rtol=1e-3, atol=1e-3).all()
    return reached


def column_share(values: npt.NDArray[np.floating[Any]], key: int) -> float:
    """Share of a map's sum, (Tq, Tk), in the column of one key; 0 if the sum is 0; derived."""
    whole = float(values.sum(dtype=np.float64))
    return float(values[:, key].sum(dtype=np.float64)) / whole if whole else 0.0
