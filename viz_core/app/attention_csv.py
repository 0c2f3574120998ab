"""The derived numbers behind one cell of an attention as CSV: the products of q · k, the unscaled softmax, the weighted values."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.analysis.attention_cell import AttentionCell, SoftmaxRow, unscaled_weights
from viz_core.app.csv_files import Cell, written
from viz_core.trace import Attention


def products_csv(one: AttentionCell) -> bytes:
    """The products q · k of one cell, a line for each dimension of the head."""
    numbers = zip(one.q, one.k, one.products, strict=True)
    return written("dimension q k product", ([i, *three] for i, three in enumerate(numbers, 1)))


def unscaled_csv(keys: Sequence[str], row: SoftmaxRow) -> bytes:
    """One query's row with and without the division by √d_k, a line for each key."""
    numbers = zip(keys, row.scores, row.weights, unscaled_weights(row), strict=True)
    return written("key_index key score weight unscaled_weight", ([i, *cells] for i, cells in enumerate(numbers, 1)))


def mixing_csv(seen: Attention, head: int, query: int, keys: Sequence[str]) -> bytes:
    """The value of each key times its weight, in each dimension; the last lines, without a key, are their sum, the mix.

    Args:
        keys: the labels of the keys that exist at this step.
    """
    lines: list[list[Cell]] = []
    for j, key in enumerate(keys):
        weight = seen.weights[head, query, j]
        lines += [[j + 1, key, weight, c, value, weight * value] for c, value in enumerate(seen.v[head, j], 1)]
    lines += [[None, None, None, c, None, value] for c, value in enumerate(seen.mix[head, query], 1)]
    return written("key_index key weight dimension value weighted_value", lines)
