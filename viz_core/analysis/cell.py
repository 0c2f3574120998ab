"""The arithmetic behind one cell of an attention matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.trace import Array, Attention


@dataclass(frozen=True, eq=False)
class Cell:
    """One query looking at one key. The recorded numbers are the trace's own; exp and total are derived in float64.

    Attributes:
        query, key: row and column.
        q, k: the two vectors, (d_k,).
        products: q_i · k_i, (d_k,).
        score: q · k.   scaled: score / √d_k.   weight: after mask and softmax.
        exp: e^scaled.   total: Σ e^scaled over the keys that this query may look at.
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


def cell(attention: Attention, head: int, query: int, key: int) -> Cell:
    """softmax(q·k / √d_k) for one query and one key (Vaswani et al. 2017, eq. 1), with every number on the way."""
    q, k = attention.q[head, query], attention.k[head, key]
    allowed = attention.mask[query]
    powers = np.exp(attention.scaled[head, query].astype(np.float64))
    weight = attention.weights[head, query, key]
    return Cell(
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


def strongest(attention: Attention, head: int, query: int) -> int:
    """The key that this query looks at most; the first of equals."""
    return int(attention.weights[head, query].argmax())
