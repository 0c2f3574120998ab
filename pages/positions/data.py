"""The position vectors: all of them as rows, their dot products, and one added to the embedding of its token."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pages.positions.compute import listed_dims, products
from pages.positions.controls import REACH, SIDE
from viz_core.analysis.embeddings import colour_limit
from viz_core.app.answers import Between, Index, beyond
from viz_core.app.arithmetic import vectors_arithmetic
from viz_core.app.csv_files import cells
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack, pack_vectors
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.trace import Floats

Side = Annotated[str, SIDE]
Reach = Annotated[str, REACH]
Dims = Annotated[tuple[int, ...], Between(0, 99_999)]
PARTS = ("embedding", "position", "input")


@dataclass(frozen=True, eq=False)
class Positions:
    """Vectors of some positions.

    Attributes:
        rows: (T, D).
        tokens: the token at each position; "" after the end of the sentence.
    """

    rows: Floats
    tokens: list[str]

    @property
    def count(self) -> int:
        """How many positions have a token: only these can be focused."""
        return sum(map(bool, self.tokens))

    @property
    def labels(self) -> list[str]:
        return [f"{position} {token}" for position, token in enumerate(self.tokens)]


def everywhere(checkpoint: Checkpoint, side: str) -> Floats:
    """The vectors of all positions, (max_len, D). Each side has its own, since they may be learned."""
    model = checkpoint.model
    embedding = model.source_embedding if side == "source" else model.target_embedding
    rows: Floats = embedding.positions.detach().numpy()
    return rows


def positions(checkpoint: Checkpoint, explanation: Explanation, side: str, reach: str) -> Positions:
    """The sentence's positions, as the pass added them, or all that the model has."""
    tokenized = explanation.source if side == "source" else explanation.target
    rows = everywhere(checkpoint, side) if reach == "all" else explanation.trace.array(f"{side}.positions")
    return Positions(rows, [*tokenized.labels, *[""] * (len(rows) - len(tokenized))])


def waves(checkpoint: Checkpoint, explanation: Explanation, side: Side, reach: Reach, dims: Dims) -> bytes:
    """Some dimensions along the positions; the browser knows their formula.

    Tensors: points (W, T), the values at the positions.
    """
    table, config = positions(checkpoint, explanation, side, reach), checkpoint.config
    if max(dims) >= config.d_model:
        raise beyond("dims", max(dims), Between(0, config.d_model - 1))
    about = {"side": side, "dims": dims, "tokens": [visible(token) for token in table.tokens]}
    points = table.rows[:, list(dims)].T.astype(np.float32)
    return pack({"points": points}, {**about, "positions": config.positions, "d_model": config.d_model})


def position_vectors(checkpoint: Checkpoint, explanation: Explanation, side: Side, reach: Reach) -> bytes:
    """Every dimension of each position."""
    table = positions(checkpoint, explanation, side, reach)
    limit = colour_limit(table.rows) if checkpoint.config.positions == "learned" else 1.0
    about = {"walked": table.count, "side": side, "ends": (-limit, limit), "file": "position-vectors"}
    return pack_vectors(table.rows, table.labels, **about)


def position_products(checkpoint: Checkpoint, explanation: Explanation, side: Side, reach: Reach, other: Index) -> bytes:
    """The dot product of each pair of positions. other: the position to compare with the focused one."""
    table = positions(checkpoint, explanation, side, reach)
    if other >= len(table.rows):
        raise beyond("other", other, Between(0, len(table.rows) - 1))
    every = products(everywhere(checkpoint, side))
    ends = float(every.min()), float(every.max())  # the maximum of the paper's positions is d_model / 2
    about = {"walked": table.count, "side": side, "ends": ends, "column": other, "file": "position-products"}
    return pack_vectors(products(table.rows), table.labels, **about)


def sum_vectors(explanation: Explanation, side: str) -> Floats:
    """Embedding, position and their sum of each token, (T, 3, D); some models normalize the sum."""
    return np.stack([explanation.trace.array(f"{side}.{site}") for site in ("embedding", "positions", _end(explanation))], axis=1)


def _end(explanation: Explanation) -> str:
    return "summed" if explanation.trace.config.embedding_norm else "input"


def position_sum(checkpoint: Checkpoint, explanation: Explanation, side: Side) -> bytes:
    """Embedding + position = input, at each position."""
    labels = positions(checkpoint, explanation, side, "sentence").labels
    names = (*PARTS[:2], _end(explanation))
    return pack_vectors(sum_vectors(explanation, side), labels, kind="sum", side=side, names=names)


MATRIX = {"interleaved": "arithmetic_matrix", "halves": "arithmetic_matrix_halves", "learned": "arithmetic_matrix_learned"}
SINES = r"\sin pos", r"\cos pos"
HALVES = r"\sin pos", r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots", r"\cos pos", r"\dots"  # where all sines come first
SLOWER = r"\sin\tfrac{pos}{10000^{2/d}}", r"\dots"  # where there are more dimensions


def show_matrix(p: Page, side: str, reach: str) -> None:
    """Every dimension of each position."""
    table = positions(p.view.checkpoint, p.view.explanation, side, reach)
    rows, tokens, kind = table.rows, table.tokens, p.view.config.positions
    d_model = rows.shape[1]
    p.answer(position_vectors, part="vector_matrix", side=side, reach=reach)
    columns = "position token dimension value"
    p.offer("matrix", "position-vectors", columns, lambda: cells((tokens, None), rows, first=(0, 1)))
    terms = HALVES if kind == "halves" else [*SINES, *(SLOWER if d_model > 2 else ())]
    vectors_arithmetic(p, MATRIX[kind], "position-vectors", listed_dims(d_model), terms=Raw(r",\ ".join(terms)))


def show_products(p: Page, side: str, reach: str, other: int) -> None:
    """The dot product of each pair of positions. other: the position to compare with the focused one."""
    encodings = positions(p.view.checkpoint, p.view.explanation, side, reach)
    tokens, table = encodings.tokens, products(encodings.rows)
    d_model, learned = encodings.rows.shape[1], p.view.config.positions == "learned"
    p.answer(
        position_products, part="vector_matrix", side=side, reach=reach, other=other
    )  # fmt: skip
    columns = "position token other_position other_token product"
    p.offer("products", "position-products", columns, lambda: cells((tokens, tokens), table, first=0))
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
    position = p.view.place(side)
    columns = "dimension embedding position input"
    p.offer("sum", f"{side}-position{position}", columns, lambda: cells([None], *vectors[position]), at=position)
    dims = listed_dims(config.d_model)
    vectors_arithmetic(
        p, "arithmetic_sum" if config.scaled_embeddings else "arithmetic_sum_bare", f"{side}-sum", dims, names=PARTS, between=" & ",
        aligned=Raw("r" * len(dims)), sum=Raw(p.text("sum_normed" if normed else "sum_input")),
        norm=p.text("then_normed") if normed else "", position_sign=Raw("P" if config.positions == "learned" else "PE"),
        dims=Raw(" & ".join(r"\cdots" if dim is None else str(dim + 1) for dim in dims)),
    )  # fmt: skip
