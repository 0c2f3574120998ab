"""Which tokens have embeddings similar to one token's: its nearest neighbours. The browser draws them for every token."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from pages.embeddings.downloads import neighbours_csv
from viz_core.analysis.embeddings import embedding_space, nearest_of, norm
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import texts, visible

NEIGHBOURS = 10  # of a token are shown
Neighbours = dict[int, list[tuple[int, float]]]
"""Of each token its neighbours, (id, cosine), the nearest first; all by their ids."""


def show_near(p: Page, side: str) -> None:
    """The nearest neighbours of the token that is looked at; below them, the cosine of the first."""
    view = p.view
    arguments = (view.checkpoint, view.explanation, side)
    p.mount("neighbours", cached(neighbours_payload, *arguments))
    show_arithmetic(p, {"arithmetic": p.texts["arithmetic_near"]}, Varying((walked(side),), cached(cosines, *arguments)))
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    with unwatched():
        at = view.place(side)
    token_id = tokenized.ids[at]
    space, neighbours = cached(embedding_space, view.checkpoint, side), cached(neighbours_of, *arguments)
    numbers = partial(neighbours_csv, space, neighbours[token_id])
    p.offer("neighbours", f"neighbours-{token_id}", numbers, token=tokenized.labels[at])


def neighbours_of(checkpoint: Checkpoint, explanation: Explanation, side: str) -> Neighbours:
    """The neighbours of each different token of one side."""
    tokenized = explanation.source if side == "source" else explanation.target
    different = list(dict.fromkeys(tokenized.ids))
    found = nearest_of(cached(embedding_space, checkpoint, side), different, NEIGHBOURS)
    return dict(zip(different, found, strict=True))


def cosines(checkpoint: Checkpoint, explanation: Explanation, side: str) -> list[dict[str, Any]]:
    """The values of the arithmetic: of each token the cosine with its nearest neighbour, and what it is made of."""
    space = cached(embedding_space, checkpoint, side)
    neighbours = cached(neighbours_of, checkpoint, explanation, side)
    tokenized = explanation.source if side == "source" else explanation.target
    values = []
    for label, token_id, row in zip(tokenized.labels, tokenized.ids, explanation.trace.array(f"{side}.lookup"), strict=True):
        near, cosine = neighbours[token_id][0]
        best = space.rows[near]
        lengths = {"a": norm(row), "b": norm(best)}
        values.append({"token": label, "near": space.labels[near], "dot": float(row @ best), **lengths, "cosine": cosine})
    return values


def neighbours_payload(checkpoint: Checkpoint, explanation: Explanation, side: str) -> bytes:
    """The neighbours of each of the T tokens of one side; U of them are different, and so are W of all neighbours.

    Tensors: which (T,), the row of each token; ids (W,); neighbours (U, NEIGHBOURS), indices in `ids`, nearest first, −1 where
    there are fewer; cosines (U, NEIGHBOURS), as computed, NaN there.
    """
    space = cached(embedding_space, checkpoint, side)
    found = cached(neighbours_of, checkpoint, explanation, side)
    tokenized = explanation.source if side == "source" else explanation.target
    ids = sorted({i for near in found.values() for i, _ in near})
    at = {token_id: index for index, token_id in enumerate(ids)}
    neighbours, values = np.full((len(found), NEIGHBOURS), -1, np.int32), np.full((len(found), NEIGHBOURS), np.nan, np.float32)
    for row, near in enumerate(found.values()):
        neighbours[row, : len(near)] = [at[i] for i, _ in near]
        values[row, : len(near)] = [cosine for _, cosine in near]
    rows = {token_id: row for row, token_id in enumerate(found)}
    tensors = {
        "which": np.array([rows[token_id] for token_id in tokenized.ids], np.int32),
        "ids": np.array(ids, np.int32),
        "neighbours": neighbours,
        "cosines": values,
    }
    about = {
        "side": side,
        "tokens": [visible(label) for label in tokenized.labels],
        "labels": [visible(space.labels[i]) for i in ids],
        "texts": {
            **texts("embeddings.bars"),
            "cosine": texts("embeddings")["cosine"],
            "covered": texts("app.frame")["covered"],
        },
    }
    return pack(tensors, about)
