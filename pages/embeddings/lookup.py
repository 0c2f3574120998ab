"""The lookup: a one-hot vector times the embedding matrix is one of its rows. The browser draws it for every token."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.embeddings.downloads import window_csv
from viz_core.analysis.embeddings import EmbeddingSpace, embedding_space, one_hot_window
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import texts, visible

SHOWN = 6  # dimensions with their numbers, before the last one
MOST = 5  # rows of the matrix around one token


def show_lookup(p: Page, side: str) -> None:
    """One-hot vector, rows of the matrix and the row that comes out; below them, the product of the token that is looked at."""
    p.mount("lookup", cached(lookup_payload, p.view.checkpoint, p.view.explanation, side))
    view = p.view
    space = cached(embedding_space, view.checkpoint, side)
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    looked_up = view.trace.array(f"{side}.lookup")
    rows = [
        {"token": label, "id": str(token.id), "first": float(row[0]), "second": float(row[1]), "last": float(row[-1])}
        for label, token, row in zip(tokenized.labels, tokenized.tokens, looked_up, strict=True)
    ]
    show_arithmetic(
        p, {"arithmetic": p.texts["arithmetic_lookup"]}, Varying((walked(side),), rows),
        entries=f"{len(space):,}", final=str(len(space) - 1), products=f"{space.rows.size:,}", d_model=view.config.d_model,
    )  # fmt: skip
    with unwatched():
        token_id = tokenized.ids[view.place(side)]
    ids = one_hot_window(token_id, len(space))
    p.offer("window", f"embedding-row{token_id}", partial(window_csv, ids, [space.labels[i] for i in ids], space.rows[ids]))


def lookup_payload(checkpoint: Checkpoint, explanation: Explanation, side: str) -> bytes:
    """The rows of the matrix around each of the T tokens of one side; n different rows in all, C of their numbers.

    Tensors: ids (n,) of the rows, ascending; rows (n, C), as stored; columns (C,), the dimensions, from 0; windows (T, MOST),
    indices of the rows that are drawn for a token, −1 where there are fewer; picked (T,), the index of its own row.
    """
    space = cached(embedding_space, checkpoint, side)
    tokenized = explanation.source if side == "source" else explanation.target
    around = [one_hot_window(token_id, len(space)) for token_id in tokenized.ids]
    ids = sorted({i for window in around for i in window})
    at = {token_id: index for index, token_id in enumerate(ids)}
    tensors = {
        "ids": np.array(ids, np.int32),
        "rows": space.rows[np.ix_(ids, columns(space))],
        "columns": np.array(columns(space), np.int32),
        "windows": np.array([[at[i] for i in window] + [-1] * (MOST - len(window)) for window in around], np.int32),
        "picked": np.array([at[token_id] for token_id in tokenized.ids], np.int32),
    }
    about = {
        "side": side,
        "labels": [visible(space.labels[i]) for i in ids],
        "entries": len(space),
        "d_model": space.rows.shape[1],
        "texts": texts("embeddings.figure"),
    }
    return pack(tensors, about)


def columns(space: EmbeddingSpace) -> list[int]:
    """The dimensions whose numbers are shown: the first ones and the last."""
    dims = space.rows.shape[1]
    return [*range(min(SHOWN, dims)), *([dims - 1] if dims > SHOWN else [])]
