"""The masks of a batch, and the weights without a mask, as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.masked_attention.compute import Booleans
from viz_core.app.csv_files import Cell, written
from viz_core.trace import Array, Attention


def batch_csv(tokens: Sequence[str], causal: Booleans, padding: Booleans, batched: Attention) -> bytes:
    """A line for each cell of each head: whether each mask leaves it open (1 or 0), the recorded mask, and the weight.

    Args:
        tokens: the labels of the sentence, padding included.
        batched: the attention of this sentence in the batch.
    """

    def lines() -> Iterator[list[Cell]]:
        for head, weights in enumerate(batched.weights, 1):
            for i, query in enumerate(tokens):
                for j, key in enumerate(tokens):
                    masks = (int(mask[i, j]) for mask in (causal, padding, batched.mask))
                    yield [head, i + 1, query, j + 1, key, *masks, weights[i, j]]

    return written("head query_index query key_index key causal padding allowed weight", lines())


def peek_csv(queries: Sequence[str], keys: Sequence[str], real: Array, unmasked: Array) -> bytes:
    """A line for each cell of one head: its weight with the mask and without.

    Args:
        real, unmasked: (T, T).
    """
    lines = (
        [i + 1, query, j + 1, key, real[i, j], unmasked[i, j]] for i, query in enumerate(queries) for j, key in enumerate(keys)
    )
    return written("query_index query key_index key weight unmasked_weight", lines)
