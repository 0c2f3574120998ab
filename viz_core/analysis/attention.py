"""Attention weights: one cell and its row step by step, the norm-weighted map, and the head with the clearest pattern."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.trace import BLOCK, Array, Attention, Doubles, Floats, Kind, Trace


@dataclass(frozen=True, eq=False)
class AttentionCell:
    """The attention of one query to one key: numbers of the trace, and the derived products, exp and total.

    Attributes:
        q, k: the two vectors, (d_k,).   products: q_i · k_i, (d_k,).
        score: q · k.   scaled: score / √d_k.   weight: after mask and softmax.
        exp: e to the power of the softmax's input.   total: the sum of exp over the allowed keys; both in float64.
    """

    query: int
    key: int
    q: Array
    k: Array
    products: Array
    score: float
    scaled: float
    weight: float
    exp: float
    total: float


def has_biases(model: Transformer, kinds: Iterable[Kind] = tuple(BLOCK), parts: Iterable[str] = "qkvo") -> bool:
    """True if the projections of these attentions have biases; an imported model without them has zeros in their place."""
    biases = (
        model.get_parameter(f"{stack}.layers.{layer}.{block}.w_{part}.bias")
        for stack, block in map(BLOCK.__getitem__, kinds)
        for layer in range(model.config.layers(stack))
        for part in parts
    )
    return any(bool(bias.any()) for bias in biases)


def cell(attention: Attention, head: int, query: int, key: int) -> AttentionCell:
    """softmax(q·k / √d_k) for one query and one key (Vaswani et al. 2017, eq. 1), with all intermediate numbers."""
    q, k = attention.q[head, query], attention.k[head, key]
    allowed = attention.mask[query]
    entering = np.where(allowed, attention.masked[head, query], attention.scaled[head, query])  # an edit may make the two differ
    powers = np.exp(entering.astype(np.float64))
    matrices = attention.scores, attention.scaled, attention.weights
    score, scaled, weight = (float(matrix[head, query, key]) for matrix in matrices)
    total = float(powers[allowed].sum())
    return AttentionCell(query, key, q, k, q * k, score, scaled, weight, float(powers[key]), total)


def unscaled_weights(scores: Array, allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Softmax of one row's raw scores, without the division by √d_k (Vaswani et al. 2017, §3.2.1); derived, in float64.

    0 where masked. All layers before this one ran with the scaling.
    """
    powers = np.where(allowed, np.exp(scores.astype(np.float64) - scores[allowed].max(initial=-np.inf)), 0)
    return powers / powers.sum() if allowed.any() else powers


def entropy(weights: Floats) -> float:
    """−Σ p log₂ p, in bits (Shannon 1948)."""
    p = weights[weights > 0].astype(np.float64)
    return max(0.0, float(-(p * np.log2(p)).sum()))


def transformed_values(model: Transformer, trace: Trace, kind: Kind, layer: int) -> Doubles:
    """f(x) = (x W^V + b^V) W^O of every key, for each head with its rows of W^O (Kobayashi et al. 2020, §2.2, eq. 4); derived.

    Returns:
        (h, Tk, D). The block's output is Σ weight · f(x), over heads and keys, plus b^O.
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
    """‖Σ_heads α f(x)‖, for a block as a whole, (Tq, Tk); derived. At most the sum of the heads' norms, since heads may cancel."""
    weights = trace.attention(kind, layer).weights.astype(np.float64)
    together = np.einsum("hqk,hkd->qkd", weights, transformed_values(model, trace, kind, layer))
    lengths: Doubles = np.linalg.norm(together, axis=-1)
    return lengths


def clearest_head(explanation: Explanation, kind: Kind) -> tuple[int, int]:
    """Layer and head, from 0, with the clearest pattern in this sentence; derived.

    In self-attention and masked attention the pattern is the weight on the previous token, averaged over all rows but the first; in
    cross attention it is the weight on the source token that all heads together attend to most, averaged over all rows. The browser
    computes the same numbers, see `browser/attention_view/reading.ts`.
    """
    shares = pattern_shares(explanation, kind)
    layer, head = np.unravel_index(shares.argmax(), shares.shape)
    return int(layer), int(head)


def pattern_shares(explanation: Explanation, kind: Kind) -> npt.NDArray[np.floating]:
    """How clearly each head shows the pattern of its attention, 0…1, (layers, heads)."""
    weights = np.stack([block.weights for block in explanation.trace.attentions(kind)])
    queries = np.arange(weights.shape[2])
    if kind == "cross":
        return weights[:, :, queries, weights.mean((0, 1)).argmax(-1)].mean(-1)
    if len(queries) < 2:
        return weights[:, :, 0, 0]
    return weights[:, :, queries[1:], queries[:-1]].mean(-1)
