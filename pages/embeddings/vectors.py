"""The scaled embedding: of the token that is looked at beside its stored row and its position, and of the whole sentence."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.embeddings.picked import pick
from viz_core.analysis.embeddings import colour_limit, norm
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked
from viz_core.browser.vectors_payload import vector_matrix_payload, vector_table_payload

SITES = ("lookup", "embedding", "positions")


def show_scaled(p: Page, side: str) -> None:
    """Of each token the stored row, the same times √d_model, and the position that is added next."""
    view = p.view
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    vectors = np.stack([view.trace.array(f"{side}.{site}") for site in SITES], axis=1)  # (T, 3, D)
    lengths, names = [[norm(vector) for vector in each] for each in vectors], p.table("rows")
    payload = vector_table_payload(
        vectors, [names[name] for name in ("lookup", _formula(p, "embedding"), "position")],
        [[p.text("length", value=f"{value:.2f}") for value in each] for each in lengths],
        tokenized.labels, side=side, axis=p.text("dimension"), limits=[colour_limit(each[1]) for each in vectors],
        file=f"{side}-scaled",
    )  # fmt: skip
    p.mount("vector_table", payload)
    with unwatched():
        picked = pick(p, side)
    numbers = partial(array_csv, "dimension stored scaled position", [None], *vectors[picked.at])
    p.offer("vectors", f"{side}-token{picked.at + 1}", numbers, **picked.values)
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
    tokenized, matrix = (
        view.explanation.source if side == "source" else view.explanation.target,
        view.trace.array(f"{side}.embedding"),
    )
    limit = colour_limit(matrix, 0.99)
    titles = {"above": p.text(_formula(p, "matrix_title")), "rows": p.text(side), "columns": p.text("dimension")}
    payload = vector_matrix_payload(
        matrix, tokenized.labels, walked=len(tokenized), side=side, titles=titles, ends=(-limit, limit), file=f"{side}-embeddings"
    )
    p.mount("vector_matrix", payload)
    rows = [
        {"token": label, "id": str(token.id), "row": at + 1}
        for at, (label, token) in enumerate(zip(tokenized.labels, tokenized.tokens, strict=True))
    ]
    show_arithmetic(
        p, {"arithmetic": p.texts[_formula(p, "arithmetic_matrix")]}, Varying((walked(side),), rows),
        tokens=len(tokenized), ends=f"{limit:g}", values=f"{matrix.size:,}", d_model=view.config.d_model,
    )  # fmt: skip


def _formula(p: Page, key: str) -> str:
    """The key of a text, in models that do not multiply by √d_model another one."""
    return key if p.view.config.scaled_embeddings else f"{key}_bare"
