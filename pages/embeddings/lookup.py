"""The lookup: a one-hot vector times the embedding matrix is one of its rows. The browser draws it for every token."""

from __future__ import annotations

from functools import partial

from pages.embeddings.data import lookup
from pages.embeddings.downloads import window_csv
from viz_core.analysis.embeddings import embedding_space, one_hot_window
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked


def show_lookup(p: Page, side: str) -> None:
    """One-hot vector, rows of the matrix and the row that comes out; below them, the product of the token that is looked at."""
    p.answer(lookup, side=side)
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
