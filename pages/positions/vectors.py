"""The position vectors: all of them as rows, their dot products, and one added to the embedding of its token."""

from functools import partial

from pages.positions.compute import listed_dims, products
from pages.positions.data import PARTS, position_products, position_sum, position_vectors, positions, sum_vectors
from viz_core.app.arithmetic import vectors_arithmetic
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page

PRODUCTS = "position token other_position other_token product"  # columns of a download
MATRIX = {"interleaved": "arithmetic_matrix", "halves": "arithmetic_matrix_halves", "learned": "arithmetic_matrix_learned"}
SINES = r"\sin pos", r"\cos pos"
HALVES = r"\sin pos", r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots", r"\cos pos", r"\dots"  # where all sines come first
SLOWER = r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots"  # where there are more dimensions


def show_matrix(p: Page, side: str, reach: str) -> None:
    """Every dimension of each position."""
    shown = positions(p.view.checkpoint, p.view.explanation, side, reach)
    rows, tokens, kind = shown.rows, shown.tokens, p.view.config.positions
    d_model = rows.shape[1]
    p.answer(position_vectors, part="vector_matrix", side=side, reach=reach)
    p.offer("matrix", "position-vectors", partial(array_csv, "position token dimension value", (tokens, None), rows, first=(0, 1)))
    terms = HALVES if kind == "halves" else [*SINES, *(SLOWER if d_model > 2 else ())]
    vectors_arithmetic(p, MATRIX[kind], "position-vectors", listed_dims(d_model), terms=Raw(r",\ ".join(terms)))


def show_products(p: Page, side: str, reach: str, other: int) -> None:
    """The dot product of each pair of positions. other: the position to compare with the focused one."""
    shown = positions(p.view.checkpoint, p.view.explanation, side, reach)
    tokens, table = shown.tokens, products(shown.rows)
    d_model, learned = shown.rows.shape[1], p.view.config.positions == "learned"
    p.answer(
        position_products, part="vector_matrix", side=side, reach=reach, other=other
    )  # fmt: skip
    p.offer("products", "position-products", partial(array_csv, PRODUCTS, (tokens, tokens), table, first=0))
    vectors_arithmetic(
        p, "arithmetic_product_learned" if learned else "arithmetic_product", "position-products", (),
        d_model=d_model, size=d_model, last_pair=d_model // 2 - 1, pairs=d_model // 2,
    )  # fmt: skip


def show_sum(p: Page, side: str) -> None:
    """Embedding + position = input, at each position."""
    config = p.view.config
    normed = config.embedding_norm
    vectors = sum_vectors(p.view.explanation, side)
    p.answer(position_sum, part="vector_table", side=side)
    at = p.view.place(side)
    numbers = partial(array_csv, "dimension embedding position input", [None], *vectors[at])
    p.offer("sum", f"{side}-position{at}", numbers, at=at)
    dims = listed_dims(config.d_model)
    vectors_arithmetic(
        p, "arithmetic_sum" if config.scaled_embeddings else "arithmetic_sum_bare", f"{side}-sum", dims, names=PARTS, between=" & ",
        aligned=Raw("r" * len(dims)), sum=Raw(p.text("sum_normed" if normed else "sum_input")),
        norm=p.text("then_normed") if normed else "", position_sign=Raw("P" if config.positions == "learned" else "PE"),
        dims=Raw(" & ".join(r"\cdots" if dim is None else str(dim + 1) for dim in dims)),
    )  # fmt: skip
