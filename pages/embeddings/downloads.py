"""The numbers of the embeddings page as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.embeddings.context_figures import Other
from viz_core.analysis.embeddings import EmbeddingSpace, WordMap
from viz_core.app.csv_files import Cell, csv_file
from viz_core.trace import Array, Floats

Lines = Iterator[list[Cell]]


@csv_file("id token dimension value")
def window_csv(ids: Sequence[int], labels: Sequence[str], rows: Array) -> Lines:
    """Some rows of the embedding matrix as stored, a line for each number."""
    for token_id, label, row in zip(ids, labels, rows, strict=True):
        for dim, value in enumerate(row, 1):
            yield [token_id, label, dim, value]


@csv_file("rank token id cosine")
def neighbours_csv(space: EmbeddingSpace, neighbours: Sequence[tuple[int, float]]) -> Lines:
    """The nearest neighbours of one token, nearest first, with their cosines."""
    for rank, (i, cosine) in enumerate(neighbours, 1):
        yield [rank, space.labels[i], i, cosine]


@csv_file("token id first second neighbour_of")
def map_csv(space: EmbeddingSpace, drawn: WordMap) -> Lines:
    """The coordinates of each token on the map, and the token whose neighbour it is: itself for a token of the sentence."""
    for i, place, owner in zip(drawn.ids, drawn.at, drawn.owner, strict=True):
        yield [space.labels[i], i, *place, space.labels[drawn.ids[owner]]]


@csv_file("sentence place cosine")
def context_csv(others: Sequence[Other], average: Floats, places: Sequence[str]) -> Lines:
    """The similarity of a token with the same one in other sentences after each layer; without a sentence, the average of all."""
    for text, cosines in [*((other.text, other.cosines) for other in others), ("", average)]:
        for place, cosine in zip(places, cosines, strict=True):
            yield [text, place, cosine]
