"""The numbers of the page's views as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from viz_core.analysis.embeddings import EmbeddingSpace, WordMap
from viz_core.app.csv_files import Cell, written
from viz_core.trace import Array


def window_csv(ids: Sequence[int], labels: Sequence[str], rows: Array) -> bytes:
    """Some rows of the embedding matrix as stored, a line for each number."""
    lines = (
        [token_id, label, dim, value]
        for token_id, label, row in zip(ids, labels, rows, strict=True)
        for dim, value in enumerate(row, 1)
    )
    return written("id token dimension value", lines)


def neighbours_csv(space: EmbeddingSpace, found: Sequence[tuple[int, float]]) -> bytes:
    """The nearest neighbours of one token, nearest first, with their cosines."""
    lines: list[list[Cell]] = [[rank, space.labels[i], i, cosine] for rank, (i, cosine) in enumerate(found, 1)]
    return written("rank token id cosine", lines)


def map_csv(space: EmbeddingSpace, drawn: WordMap) -> bytes:
    """The coordinates of each token on the map, and the token whose neighbour it is: itself for a token of the sentence."""
    lines = (
        [space.labels[i], i, *place, space.labels[drawn.ids[owner]]]
        for i, place, owner in zip(drawn.ids, drawn.at, drawn.owner, strict=True)
    )
    return written("token id first second neighbour_of", lines)
