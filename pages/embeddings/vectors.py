"""The scaled embedding: of the token that is looked at beside its stored row and its position, and of the whole sentence."""

from __future__ import annotations

from functools import partial

from pages.embeddings.picked import pick
from viz_core.analysis.embeddings import colour_limit, norm
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.figures.rows import vector_matrix, vector_table


def show_scaled(p: Page, side: str) -> None:
    """The stored row, the same times √d_model, and the position that is added next."""
    picked = pick(p, side)
    terms, rows = picked.terms, p.table("rows")
    vectors = (terms.lookup, terms.embedding, terms.position)
    lengths = {"before": norm(terms.lookup), "after": norm(terms.embedding), "position": norm(terms.position)}
    notes = [p.text("length", value=f"{value:.2f}") for value in lengths.values()]
    limit = colour_limit(terms.embedding)
    figure = vector_table(vectors, [*rows.values()], notes, axis=p.text("dimension"), limit=limit, palette=p.palette)
    p.show(figure, least="wide")
    numbers = partial(array_csv, "dimension stored scaled position", [None], *vectors)
    p.offer("vectors", f"{side}-token{picked.at + 1}", numbers, **picked.values)
    p.arithmetic(
        _formula(p, "arithmetic_scaled"), root=Raw(f"{p.view.config.d_model**0.5:.4g}"), a=float(terms.lookup[0]),
        b=float(terms.embedding[0]), **lengths, **picked.values,
    )  # fmt: skip


def show_matrix(p: Page, side: str) -> None:
    """The scaled embeddings of all tokens, one row each."""
    picked, matrix = pick(p, side), p.view.trace.array(f"{side}.embedding")
    limit = colour_limit(matrix, 0.99)
    figure = vector_matrix(
        matrix, picked.tokenized.labels, axes=(p.text(side), p.text("dimension")), limit=limit, title=p.text("matrix_title"),
        highlighted=picked.at, palette=p.palette,
    )  # fmt: skip
    p.show(figure)
    p.arithmetic(
        _formula(p, "arithmetic_matrix"), tokens=len(picked.tokenized), ends=f"{limit:g}", values=f"{matrix.size:,}",
        row=picked.at + 1, **picked.values,
    )  # fmt: skip


def _formula(p: Page, key: str) -> str:
    """The text of a formula, in models that do not multiply by √d_model another one."""
    return key if p.view.config.scaled_embeddings else f"{key}_bare"
