"""The position vectors: all of them as rows, their dot products, and one added to the embedding of its token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pages.positions.compute import listed_dims, product_at_distance, products
from pages.positions.figures import product_heatmap
from viz_core.analysis.embeddings import colour_limit, embedding_sum, norm
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, row
from viz_core.app.page import Page
from viz_core.figures.rows import vector_matrix, vector_table
from viz_core.trace import Floats

PRODUCTS = "position token other_position other_token product"  # columns of a download
MATRIX = {"interleaved": "arithmetic_matrix", "halves": "arithmetic_matrix_halves", "learned": "arithmetic_matrix_learned"}
SINES = r"\sin pos", r"\cos pos"
HALVES = r"\sin pos", r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots", r"\cos pos", r"\dots"  # where all sines come first
SLOWER = r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots"  # where there are more dimensions


def show_matrix(p: Page, at: int, rows: Floats, tokens: Sequence[str]) -> None:
    """Every dimension of each position."""
    axes, d_model = (p.text("position"), p.text("dimension")), rows.shape[1]
    learned = p.view.config.positions == "learned"
    limit = colour_limit(rows) if learned else 1.0
    p.show(vector_matrix(rows, _labels(tokens), axes=axes, limit=limit, highlighted=at, first=0, palette=p.palette))
    numbers = partial(array_csv, "position token dimension value", (tokens, None), rows, first=0)
    p.offer("matrix", "position-vectors", numbers)
    terms = HALVES if p.view.config.positions == "halves" else [*SINES, *(SLOWER if d_model > 2 else ())]
    formula = Raw(r",\ ".join(terms))
    written = row(rows[at].tolist(), listed_dims(d_model), r",\ ")
    p.arithmetic(MATRIX[p.view.config.positions], terms=formula, values=written, at=at, place=tokens[at])


def show_products(p: Page, side: str, other: int, rows: Floats, tokens: Sequence[str], everywhere: Floats) -> None:
    """The dot product of each pair of positions.

    Args:
        everywhere: the vectors of all positions that there are, (max_len, D).
    """
    at, d_model = p.view.place(side), rows.shape[1]
    table, every = products(rows), products(everywhere)
    ends = float(every.min()), float(every.max())  # of the paper's positions d_model / 2
    figure = product_heatmap(table, _labels(tokens), axis=p.text("position"), ends=ends, cell=(at, other), palette=p.palette)
    p.show(figure, clicks=("token" if side == "source" else "step", "other"))
    p.offer("products", "position-products", partial(array_csv, PRODUCTS, (tokens, tokens), table, first=0))
    learned = p.view.config.positions == "learned"
    p.arithmetic(
        "arithmetic_product_learned" if learned else "arithmetic_product", at=at, other=other, value=float(table[at, other]),
        distance=abs(at - other), d_model=d_model,
        formula=product_at_distance(at - other, d_model), last_pair=d_model // 2 - 1, pairs=d_model // 2,
    )  # fmt: skip


def show_sum(p: Page, side: str, at: int, tokens: Sequence[str]) -> None:
    """Embedding + position = input, at one position."""
    terms = embedding_sum(p.view.trace, side, at)
    vectors = {"embedding": terms.embedding, "position": terms.position, "input": terms.input}
    rows_named = p.table("rows")
    names = [rows_named[name] for name in vectors]
    notes = [p.text("length", value=f"{norm(vector):.2f}") for vector in vectors.values()]
    limit = colour_limit(terms.input)
    figure = vector_table([*vectors.values()], names, notes, axis=p.text("dimension"), limit=limit, first=0, palette=p.palette)
    p.show(figure, least="wide")
    numbers = partial(array_csv, "dimension embedding position input", [None], *vectors.values(), first=0)
    p.offer("sum", f"{side}-position{at}", numbers, at=at)
    dims = listed_dims(p.view.config.d_model)
    written = {name: row(vector.tolist(), dims, " & ") for name, vector in vectors.items()}
    heads = Raw(" & ".join(r"\cdots" if dim is None else str(dim) for dim in dims))
    scaled = p.view.config.scaled_embeddings
    p.arithmetic(
        "arithmetic_sum" if scaled else "arithmetic_sum_bare",
        columns=Raw("r" * len(dims)),
        dims=heads,
        at=at,
        place=tokens[at],
        **written,
    )


def _labels(tokens: Sequence[str]) -> list[str]:
    return [f"{position} {token}" for position, token in enumerate(tokens)]
