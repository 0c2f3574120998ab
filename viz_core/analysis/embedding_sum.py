"""What one token brings to the first layer: its recorded vectors, and their lengths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from viz_core.trace import Array, Trace


@dataclass(frozen=True, eq=False)
class EmbeddingSum:
    """One position's way into the model, as recorded.

    Attributes:
        lookup: E_id, the row as it is stored, (D,).
        embedding: √d_model · E_id, (D,).
        position: PE_pos, (D,).
        input: their sum, which the first layer reads, (D,).
    """

    lookup: Array
    embedding: Array
    position: Array
    input: Array


def embedding_sum(trace: Trace, side: str, at: int) -> EmbeddingSum:
    """The vectors of one position of one side, `source` or `target`."""
    return EmbeddingSum(*(trace.array(f"{side}.{site}")[at] for site in ("lookup", "embedding", "positions", "input")))


def norm(vector: Array) -> float:
    """|x| = √Σ xᵢ², derived."""
    return float(np.linalg.norm(vector.astype(np.float64)))


def colour_limit(values: Array, inside: float = 1.0) -> float:
    """Where a colour scale ends: this share of all values lie inside, rounded up to two digits that count."""
    edge = max(float(np.quantile(np.abs(values), inside)), 1e-6)
    unit = 10.0 ** (np.floor(np.log10(edge)) - 1)
    return float(np.ceil(edge / unit) * unit)
