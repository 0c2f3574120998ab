"""The arithmetic behind one cell of an attention matrix, and behind its row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz_core.trace import Array, Attention, Floats


@dataclass(frozen=True, eq=False)
class AttentionCell:
    """The attention of one query to one key: numbers of the trace, and derived from them products, exp and total.

    Attributes:
        q, k: the two vectors, (d_k,).   products: q_i · k_i, (d_k,).
        score: q · k.   scaled: score / √d_k.   weight: after mask and softmax.
        exp: e to the power of what enters the softmax.   total: Σ of these over the allowed keys; both in float64.
        allowed: whether the mask lets the query look at the key.
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
    allowed: bool


@dataclass(frozen=True, eq=False)
class SoftmaxRow:
    """All keys of one query, (Tk,) each: scores, scaled, allowed and weights as recorded; exp is derived, NaN where masked."""

    scores: Array
    scaled: Array
    allowed: npt.NDArray[np.bool_]
    exp: npt.NDArray[np.float64]
    weights: Array


def cell(attention: Attention, head: int, query: int, key: int) -> AttentionCell:
    """softmax(q·k / √d_k) for one query and one key (Vaswani et al. 2017, eq. 1), with every number on the way."""
    q, k = attention.q[head, query], attention.k[head, key]
    allowed = attention.mask[query]
    powers = np.exp(_softmax_input(attention, head, query))
    score, scaled, weight = (float(each[head, query, key]) for each in (attention.scores, attention.scaled, attention.weights))
    total = float(powers[allowed].sum())
    return AttentionCell(query, key, q, k, q * k, score, scaled, weight, float(powers[key]), total, bool(allowed[key]))


def softmax_row(attention: Attention, head: int, query: int, keys: int | None = None) -> SoftmaxRow:
    """One query's row, from scores through the softmax to weights, over the first `keys` keys or all."""
    scores, scaled, weights = (matrix[head, query, :keys] for matrix in (attention.scores, attention.scaled, attention.weights))
    allowed = attention.mask[query, :keys]
    exp = np.where(allowed, np.exp(_softmax_input(attention, head, query)[:keys]), np.nan)
    return SoftmaxRow(scores, scaled, allowed, exp, weights)


def _softmax_input(attention: Attention, head: int, query: int) -> npt.NDArray[np.float64]:
    """The scores as masked, and at masked keys as scaled; an edit may have changed them in between."""
    entering = np.where(attention.mask[query], attention.masked[head, query], attention.scaled[head, query])
    return entering.astype(np.float64)


def strongest_key(attention: Attention, head: int, query: int) -> int:
    """The key with the largest weight for this query; the first of equals."""
    return int(attention.weights[head, query].argmax())


def unscaled_weights(row: SoftmaxRow) -> npt.NDArray[np.float64]:
    """Softmax of the raw scores of one row, without the division by √d_k (Vaswani et al. 2017, §3.2.1); derived, in float64.

    0 where masked. Everything before this row ran with the scaling.
    """
    scores = np.where(row.allowed, row.scores.astype(np.float64), -np.inf)
    if not row.allowed.any():
        return np.zeros_like(scores)
    powers = np.exp(scores - scores.max())
    shares: npt.NDArray[np.float64] = powers / powers.sum()
    return shares


def entropy(weights: Floats) -> float:
    """−Σ p log₂ p, in bits (Shannon 1948)."""
    p = weights[weights > 0].astype(np.float64)
    return max(0.0, float(-(p * np.log2(p)).sum()))
