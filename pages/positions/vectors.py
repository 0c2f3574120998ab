"""The position vectors: all of them as rows, their dot products, and one added to the embedding of its token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from pages.positions.compute import listed_dims, product_at_distance, products
from pages.positions.controls import hear_other
from viz_core.analysis.embeddings import colour_limit, embedding_sum, norm
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, row
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched, walked
from viz_core.browser.vectors_payload import vector_matrix_payload, vector_table_payload
from viz_core.trace import Floats

PRODUCTS = "position token other_position other_token product"  # columns of a download
MATRIX = {"interleaved": "arithmetic_matrix", "halves": "arithmetic_matrix_halves", "learned": "arithmetic_matrix_learned"}
SINES = r"\sin pos", r"\cos pos"
HALVES = r"\sin pos", r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots", r"\cos pos", r"\dots"  # where all sines come first
SLOWER = r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots"  # where there are more dimensions


def show_matrix(p: Page, side: str, rows: Floats, tokens: Sequence[str]) -> None:
    """Every dimension of each position."""
    d_model, kind = rows.shape[1], p.view.config.positions
    limit = colour_limit(rows) if kind == "learned" else 1.0
    titles = {"rows": p.text("position"), "columns": p.text("dimension")}
    payload = vector_matrix_payload(
        rows,
        _labels(tokens),
        walked=_count(tokens),
        side=side,
        titles=titles,
        ends=(-limit, limit),
        file="position-vectors",
    )
    p.mount("vector_matrix", payload)
    p.offer("matrix", "position-vectors", partial(array_csv, "position token dimension value", (tokens, None), rows, first=(0, 1)))
    terms = HALVES if kind == "halves" else [*SINES, *(SLOWER if d_model > 2 else ())]
    dims = listed_dims(d_model)
    written = [{"at": at, "place": tokens[at], "values": row(rows[at].tolist(), dims, r",\ ")} for at in range(_count(tokens))]
    show_arithmetic(p, {"arithmetic": p.texts[MATRIX[kind]]}, Varying((walked(side),), written), terms=Raw(r",\ ".join(terms)))


def show_products(p: Page, side: str, other: int, rows: Floats, tokens: Sequence[str], everywhere: Floats) -> None:
    """The dot product of each pair of positions.

    Args:
        other: the position that the one that is looked at is compared with.
        everywhere: the vectors of all positions that there are, (max_len, D).
    """
    d_model, learned = rows.shape[1], p.view.config.positions == "learned"
    table, every = products(rows), products(everywhere)
    ends = float(every.min()), float(every.max())  # of the paper's positions d_model / 2
    titles = {"rows": p.text("position"), "columns": p.text("position")}
    payload = vector_matrix_payload(
        table, _labels(tokens), walked=_count(tokens), side=side, titles=titles, ends=ends, first=0, column=other,
        file="position-products",
    )  # fmt: skip
    p.mount("vector_matrix", payload, events=("column",), hear=hear_other)
    p.offer("products", "position-products", partial(array_csv, PRODUCTS, (tokens, tokens), table, first=0))
    pairs = [
        {
            "at": at, "value": float(table[at, other]), "distance": abs(at - other),
            "formula": product_at_distance(at - other, d_model),
        }
        for at in range(_count(tokens))
    ]  # fmt: skip
    show_arithmetic(
        p, {"arithmetic": p.texts["arithmetic_product_learned" if learned else "arithmetic_product"]},
        Varying((walked(side),), pairs), other=other, d_model=d_model, last_pair=d_model // 2 - 1, pairs=d_model // 2,
    )  # fmt: skip


def show_sum(p: Page, side: str, tokens: Sequence[str]) -> None:
    """Embedding + position = input, at each position."""
    trace, parts, config = p.view.trace, ("embedding", "position", "input"), p.view.config
    rows_named, normed = p.table("rows"), config.embedding_norm
    sums = [embedding_sum(trace, side, at) for at in range(len(tokens))]
    vectors = np.stack([(each.embedding, each.position, each.input) for each in sums])  # (T, 3, D)
    payload = vector_table_payload(
        vectors, [rows_named[name] for name in (*parts[:2], "summed" if normed else "input")],
        [[p.text("length", value=f"{norm(vector):.2f}") for vector in each] for each in vectors], _labels(tokens), side=side,
        axis=p.text("dimension"), limits=[colour_limit(each.input) for each in sums], file=f"{side}-sum",
    )  # fmt: skip
    p.mount("vector_table", payload)
    with unwatched():
        at = p.view.place(side)
    numbers = partial(array_csv, "dimension embedding position input", [None], *vectors[at])
    p.offer("sum", f"{side}-position{at}", numbers, at=at)
    dims = listed_dims(config.d_model)
    written = [
        {
            "at": place,
            "place": tokens[place],
            **{name: row(vector.tolist(), dims, " & ") for name, vector in zip(parts, each, strict=True)},
        }
        for place, each in enumerate(vectors)
    ]
    show_arithmetic(
        p, {"arithmetic": p.texts["arithmetic_sum" if config.scaled_embeddings else "arithmetic_sum_bare"]},
        Varying((walked(side),), written), aligned=Raw("r" * len(dims)),
        sum=Raw(p.text("sum_normed" if normed else "sum_input")), norm=p.text("then_normed") if normed else "",
        position_sign=Raw("P" if config.positions == "learned" else "PE"),
        dims=Raw(" & ".join(r"\cdots" if dim is None else str(dim + 1) for dim in dims)),
    )  # fmt: skip


def _count(tokens: Sequence[str]) -> int:
    """How many positions have a token: only these can be looked at."""
    return sum(map(bool, tokens))


def _labels(tokens: Sequence[str]) -> list[str]:
    return [f"{position} {token}" for position, token in enumerate(tokens)]
