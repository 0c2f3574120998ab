"""Which tokens have embeddings similar to one token's: its nearest neighbours. The browser draws them for every token."""

from __future__ import annotations

from functools import partial
from typing import Any

from pages.embeddings.data import neighbours, neighbours_of
from pages.embeddings.downloads import neighbours_csv
from viz_core.analysis.embeddings import embedding_space, norm
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation


def show_near(p: Page, side: str) -> None:
    """The nearest neighbours of the token that is looked at; below them, the cosine of the first."""
    view = p.view
    arguments = (view.checkpoint, view.explanation, side)
    p.answer(neighbours, side=side)
    show_arithmetic(p, {"arithmetic": p.texts["arithmetic_near"]}, Varying((walked(side),), cached(cosines, *arguments)))
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    with unwatched():
        at = view.place(side)
    token_id = tokenized.ids[at]
    space, found = cached(embedding_space, view.checkpoint, side), cached(neighbours_of, *arguments)
    numbers = partial(neighbours_csv, space, found[token_id])
    p.offer("neighbours", f"neighbours-{token_id}", numbers, token=tokenized.labels[at])


def cosines(checkpoint: Checkpoint, explanation: Explanation, side: str) -> list[dict[str, Any]]:
    """The values of the arithmetic: of each token the cosine with its nearest neighbour, and what it is made of."""
    space = cached(embedding_space, checkpoint, side)
    found = cached(neighbours_of, checkpoint, explanation, side)
    tokenized = explanation.source if side == "source" else explanation.target
    values = []
    for label, token_id, row in zip(tokenized.labels, tokenized.ids, explanation.trace.array(f"{side}.lookup"), strict=True):
        near, cosine = found[token_id][0]
        best = space.rows[near]
        lengths = {"a": norm(row), "b": norm(best)}
        values.append({"token": label, "near": space.labels[near], "dot": float(row @ best), **lengths, "cosine": cosine})
    return values
