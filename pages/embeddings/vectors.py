"""The scaled embedding: of the token that is looked at beside its stored row and its position, and of the whole sentence."""

from __future__ import annotations

from functools import partial

from pages.embeddings.data import embeddings, matrix_limit, scaled, scaled_vectors
from pages.embeddings.picked import pick
from viz_core.analysis.embeddings import norm
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked


def show_scaled(p: Page, side: str) -> None:
    """Of each token the stored row, the same times √d_model, and the position that is added next."""
    view = p.view
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    vectors = scaled_vectors(view.explanation, side)
    p.answer(scaled, part="vector_table", side=side)
    with unwatched():
        picked = pick(p, side)
    numbers = partial(array_csv, "dimension stored scaled position", [None], *vectors[picked.at])
    p.offer("vectors", f"{side}-token{picked.at + 1}", numbers, **picked.values)
    lengths = [[norm(vector) for vector in each] for each in vectors]
    values = [
        {
            "token": label,
            "a": float(each[0, 0]),
            "b": float(each[1, 0]),
            **dict(zip(("before", "after", "position"), long, strict=True)),
        }
        for label, each, long in zip(tokenized.labels, vectors, lengths, strict=True)
    ]
    show_arithmetic(
        p, {"arithmetic": p.texts[_formula(p, "arithmetic_scaled")]}, Varying((walked(side),), values),
        root=Raw(f"{view.config.d_model**0.5:.4g}"), d_model=view.config.d_model,
    )  # fmt: skip


def show_matrix(p: Page, side: str) -> None:
    """The scaled embeddings of all tokens, one row each."""
    view = p.view
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    p.answer(embeddings, part="vector_matrix", side=side)
    rows = [
        {"token": label, "id": str(token.id), "row": at + 1}
        for at, (label, token) in enumerate(zip(tokenized.labels, tokenized.tokens, strict=True))
    ]
    show_arithmetic(
        p, {"arithmetic": p.texts[_formula(p, "arithmetic_matrix")]}, Varying((walked(side),), rows),
        tokens=len(tokenized), ends=f"{matrix_limit(view.explanation, side):g}", values=f"{len(tokenized) * view.config.d_model:,}",
        d_model=view.config.d_model,
    )  # fmt: skip


def _formula(p: Page, key: str) -> str:
    """The key of a text, in models that do not multiply by √d_model another one."""
    return key if p.view.config.scaled_embeddings else f"{key}_bare"
