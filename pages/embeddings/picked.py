"""The token that is looked at, with its vectors: what has asked for it is drawn anew when another one is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from viz_core.analysis.embeddings import EmbeddingSpace, EmbeddingSum, embedding_space, embedding_sum
from viz_core.app.cache import cached
from viz_core.app.page import Page
from viz_core.words import Token, TokenizedText


@dataclass(frozen=True, eq=False)
class Picked:
    """One token of the sentence.

    Attributes:
        side, at: where it stands, counted from 0.
        space: all tokens of the vocabulary, with their rows of the matrix.
        values: what the texts say of it.
    """

    side: str
    at: int
    tokenized: TokenizedText
    terms: EmbeddingSum
    space: EmbeddingSpace
    values: dict[str, Any]

    @property
    def token(self) -> Token:
        return self.tokenized.tokens[self.at]


def pick(p: Page, side: str) -> Picked:
    """The token of this side that is looked at."""
    view = p.view
    tokenized, at = view.explanation.source if side == "source" else view.explanation.target, view.place(side)
    space = cached(embedding_space, view.checkpoint, side)
    values = {
        "token": tokenized.labels[at], "id": str(tokenized.tokens[at].id), "entries": f"{len(space):,}",
        "d_model": view.config.d_model,
    }  # fmt: skip
    return Picked(side, at, tokenized, embedding_sum(view.trace, side, at), space, values)
