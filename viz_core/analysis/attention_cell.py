"""The arithmetic behind one cell of an attention matrix, and behind its row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.trace import Array, Attention

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class AttentionCell:
    """The attention of one query to one key: numbers of the trace, and derived from them products, exp and total.

    Attributes:
        query, key: row and column.
        q, k: the two vectors, (d_k,).
        products: q_i · k_i, (d_k,).
        score: q · k.   scaled: score / √d_k.   weight: after mask and softmax.
        exp: e to the power of what enters the softmax: of scaled, unless an edit changed that on the way.
        total: Σ of these over the keys that this query may look at; both in float64.
        allowed: whether the mask lets the query look at the key.
        takes: weight · v, what the query takes from this key's value, (d_k,).
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
    takes: Array


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
    powers = np.exp(_enters(attention, head, query))
    weight = attention.weights[head, query, key]
    return AttentionCell(
        query=query,
        key=key,
        q=q,
        k=k,
        products=q * k,
        score=float(attention.scores[head, query, key]),
        scaled=float(attention.scaled[head, query, key]),
        weight=float(weight),
        exp=float(powers[key]),
        total=float(powers[allowed].sum()),
        allowed=bool(allowed[key]),
        takes=weight * attention.v[head, key],
    )


def softmax_row(attention: Attention, head: int, query: int, keys: int | None = None) -> SoftmaxRow:
    """One query's row, from scores through the softmax to weights.

    Args:
        keys: only so many of the first keys, where the later ones do not exist yet.
    """
    scaled, allowed = attention.scaled[head, query, :keys], attention.mask[query, :keys]
    exp = np.where(allowed, np.exp(_enters(attention, head, query)[:keys]), np.nan)
    return SoftmaxRow(attention.scores[head, query, :keys], scaled, allowed, exp, attention.weights[head, query, :keys])


def _enters(attention: Attention, head: int, query: int) -> npt.NDArray[np.float64]:
    """Input of the softmax of one query's row; at masked keys, the scaled score."""
    entering = np.where(attention.mask[query], attention.masked[head, query], attention.scaled[head, query])
    return entering.astype(np.float64)


def strongest_key(attention: Attention, head: int, query: int) -> int:
    """The key with the largest weight for this query; the first of equals."""
    return int(attention.weights[head, query].argmax())


def unscaled_weights(row: SoftmaxRow) -> npt.NDArray[np.float64]:
    """Softmax of the raw scores, without the division by √d_k (Vaswani et al. 2017, §3.2.1).

    Derived, in float64, from the recorded scores; 0 where masked. Only this row is computed anew: everything before it in the
    model ran with the scaling.
    """
    scores = np.where(row.allowed, row.scores.astype(np.float64), -np.inf)
    if not row.allowed.any():
        return np.zeros_like(scores)
    powers = np.exp(scores - scores.max())
    shares: npt.NDArray[np.float64] = powers / powers.sum()
    return shares


def entropy(weights: Floats) -> float:
    """−Σ p log₂ p, in bits (Shannon 1948): 0 when all goes to one key, log₂ n when n keys share alike."""
    p = weights[weights > 0].astype(np.float64)
    return max(0.0, float(-(p * np.log2(p)).sum()))
