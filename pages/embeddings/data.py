"""The data of this page's figures, except words in context (`context.py`)."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from pages.embeddings.controls import SIDE
from viz_core.analysis.embeddings import EmbeddingSpace, WordMap, colour_limit, embedding_space, nearest_of, norm, one_hot_window
from viz_core.analysis.embeddings import word_map as planar
from viz_core.app.cache import cached
from viz_core.browser.pack import pack, pack_vectors
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.texts import visible
from viz_core.trace import Floats
from viz_core.words import TokenizedText

Side = Annotated[str, SIDE]
SITES = ("lookup", "embedding", "positions")
SHOWN = 6  # how many dimensions are written out, besides the last
MOST = 5  # how many rows of the matrix are drawn around a token
NEIGHBOURS = 10  # how many neighbours of a token are drawn
Neighbours = dict[int, list[tuple[int, float]]]
"""Each token's neighbours by its id: (id, cosine), the nearest first."""


def lookup(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """The matrix's rows around each of the T tokens of one side: n different rows in all, C numbers of each.

    Tensors: ids (n,) of the rows, ascending; rows (n, C), as stored; columns (C,), the dimensions from 0; windows (T, MOST), the
    indices of the rows drawn around a token, −1 where there are fewer; picked (T,), the index of the token's own row.
    """
    space = cached(embedding_space, checkpoint, side)
    tokenized = tokens_of(explanation, side)
    around = [one_hot_window(token_id, len(space)) for token_id in tokenized.ids]
    ids = sorted({i for window in around for i in window})
    index_of = {token_id: index for index, token_id in enumerate(ids)}
    tensors = {
        "ids": np.array(ids, np.int32),
        "rows": space.rows[np.ix_(ids, columns(space))],
        "columns": np.array(columns(space), np.int32),
        "windows": np.array([[index_of[i] for i in window] + [-1] * (MOST - len(window)) for window in around], np.int32),
        "picked": np.array([index_of[token_id] for token_id in tokenized.ids], np.int32),
    }
    return pack(tensors, {**_named(space, tokenized, side, ids), "entries": len(space), "d_model": space.rows.shape[1]})


def _named(space: EmbeddingSpace, tokenized: TokenizedText, side: str, ids: Sequence[int]) -> dict[str, Any]:
    """The description of a figure: its side, the labels of that side's tokens, and those of other ids."""
    tokens, labels = ([visible(label) for label in each] for each in (tokenized.labels, [space.labels[i] for i in ids]))
    return {"side": side, "tokens": tokens, "labels": labels}


def columns(space: EmbeddingSpace) -> list[int]:
    """The dimensions whose numbers are written out: the first ones and the last."""
    dims = space.rows.shape[1]
    return [*range(min(SHOWN, dims)), *([dims - 1] if dims > SHOWN else [])]


def neighbours_of(checkpoint: Checkpoint, explanation: Explanation, side: str) -> Neighbours:
    """The neighbours of each token of one side, each token once."""
    tokenized = tokens_of(explanation, side)
    different = list(dict.fromkeys(tokenized.ids))
    nearest = nearest_of(cached(embedding_space, checkpoint, side), different, NEIGHBOURS)
    return dict(zip(different, nearest, strict=True))


def neighbours(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """The neighbours of each of the T tokens of one side: U different tokens, W different neighbours.

    Tensors: which (T,), the row of each token; ids (W,); neighbours (U, NEIGHBOURS), indices in `ids`, the nearest first, −1 where
    there are fewer; cosines (U, NEIGHBOURS), NaN there; nearest (U, 3), of a token and its nearest neighbour, the dot product
    and both lengths.
    """
    space = cached(embedding_space, checkpoint, side)
    nearest = cached(neighbours_of, checkpoint, explanation, side)
    tokenized = tokens_of(explanation, side)
    ids = sorted({i for near in nearest.values() for i, _ in near})
    index_of = {token_id: index for index, token_id in enumerate(ids)}
    neighbours, values = np.full((len(nearest), NEIGHBOURS), -1, np.int32), np.full((len(nearest), NEIGHBOURS), np.nan, np.float32)
    for row, near in enumerate(nearest.values()):
        neighbours[row, : len(near)] = [index_of[i] for i, _ in near]
        values[row, : len(near)] = [cosine for _, cosine in near]
    rows = {token_id: row for row, token_id in enumerate(nearest)}
    pairs = [(space.rows[token_id], space.rows[near[0][0]]) for token_id, near in nearest.items()]
    tensors = {
        "which": np.array([rows[token_id] for token_id in tokenized.ids], np.int32),
        "ids": np.array(ids, np.int32),
        "neighbours": neighbours,
        "cosines": values,
        "nearest": np.array([(one @ other, norm(one), norm(other)) for one, other in pairs], np.float32),
    }
    return pack(tensors, _named(space, tokenized, side, ids))


def drawn_map(checkpoint: Checkpoint, explanation: Explanation, side: str) -> WordMap:
    """The map of the tokens of one side."""
    tokenized = tokens_of(explanation, side)
    return planar(cached(embedding_space, checkpoint, side), tokenized.ids)


def word_map(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """The n tokens on the map of one side, and which of them each of its T tokens is.

    Tensors: at (n, 2), the coordinates; owner (n,), the index of the token whose neighbour it is, or its own index if it is a
    token of the sentence; which (T,), the index of each token of the sentence, −1 for one that had no room.
    """
    space, drawn = cached(embedding_space, checkpoint, side), cached(drawn_map, checkpoint, explanation, side)
    tokenized = tokens_of(explanation, side)
    index = {token_id: row for row, token_id in enumerate(drawn.ids)}
    tensors = {
        "at": drawn.at.astype(np.float32),
        "owner": np.array(drawn.owner, np.int32),
        "which": np.array([index.get(token_id, -1) for token_id in tokenized.ids], np.int32),
    }
    return pack(
        tensors, {**_named(space, tokenized, side, drawn.ids), "shares": [percent(float(share)) for share in drawn.explained]}
    )


def scaled_vectors(explanation: Explanation, side: str) -> Floats:
    """Each token's stored row, the same row times √d_model, and the position that is added next, (T, 3, D)."""
    return np.stack([explanation.trace.array(f"{side}.{site}") for site in SITES], axis=1)


def scaled(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """The result of `scaled_vectors`."""
    names = "lookup", bare_key(checkpoint, "embedding"), "position"
    return pack_vectors(
        scaled_vectors(explanation, side), tokens_of(explanation, side).labels, kind="scaled", side=side, names=names
    )


def embeddings(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """The scaled embeddings of all tokens, a row each."""
    tokenized, matrix = tokens_of(explanation, side), explanation.trace.array(f"{side}.embedding")
    limit = colour_limit(matrix, 0.99)
    return pack_vectors(
        matrix, tokenized.labels, walked=len(tokenized), side=side, ends=(-limit, limit), ids=tokenized.ids,
        file=f"{side}-embeddings", lead=bare_key(checkpoint, "embeddings"),
    )  # fmt: skip


def bare_key(checkpoint: Checkpoint, key: str) -> str:
    """The key of a text; in models that do not multiply by √d_model, the key of its other version."""
    return key if checkpoint.config.scaled_embeddings else f"{key}_bare"


def tokens_of(explanation: Explanation, side: str) -> TokenizedText:
    return explanation.source if side == "source" else explanation.target
