"""The views of one token: lookup, scaled vectors, matrix, nearest neighbours, map; the browser draws each for all tokens."""

from pages.embeddings.data import drawn_map, embeddings, lookup, neighbours, neighbours_of, scaled, scaled_vectors, word_map
from viz_core.analysis.embeddings import MOST, embedding_space, one_hot_window
from viz_core.app.arithmetic import show_arithmetic, vectors_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import cells
from viz_core.app.markup import Raw
from viz_core.app.page import Page


def show_scaled(p: Page, side: str) -> None:
    """Each token's stored row, the same times √d_model, and the position that is added next."""
    view = p.view
    vectors = scaled_vectors(view.explanation, side)
    p.answer(scaled, part="vector_table", side=side)
    at, columns = view.place(side), "dimension stored scaled position"
    token = (view.source if side == "source" else view.target)[at]
    p.offer("vectors", f"{side}-token{at + 1}", columns, lambda: cells([None], *vectors[at]), token=token)
    vectors_arithmetic(
        p, _formula(p, "arithmetic_scaled"), f"{side}-scaled", (), names=("lookup", "embedding", "position"),
        root=Raw(f"{view.config.d_model**0.5:.4g}"), d_model=view.config.d_model,
    )  # fmt: skip


def show_matrix(p: Page, side: str) -> None:
    """The scaled embeddings of all tokens, one row each."""
    p.answer(embeddings, part="vector_matrix", side=side)
    vectors_arithmetic(p, _formula(p, "arithmetic_matrix"), f"{side}-embeddings", (), d_model=p.view.config.d_model)


def _formula(p: Page, key: str) -> str:
    """The key of a text; models that do not multiply by √d_model have another."""
    return key if p.view.config.scaled_embeddings else f"{key}_bare"


def show_lookup(p: Page, side: str) -> None:
    """One-hot vector, rows of the matrix, and the row that comes out; below them, the product for the focused token."""
    p.answer(lookup, side=side)
    view = p.view
    space = cached(embedding_space, view.checkpoint, side)
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    _arithmetic(p, "lookup", side, "arithmetic_lookup")
    token_id = tokenized.ids[view.place(side)]
    ids = one_hot_window(token_id, len(space))
    p.offer(
        "window", f"embedding-row{token_id}", "id token dimension value",
        lambda: ([i, space.labels[i], *line] for i in ids for line in cells([None], space.rows[i])),
    )  # fmt: skip


def show_near(p: Page, side: str) -> None:
    """The nearest neighbours of the focused token; below them, the cosine of the first."""
    view = p.view
    arguments = (view.checkpoint, view.explanation, side)
    p.answer(neighbours, side=side)
    _arithmetic(p, "neighbours", side, "arithmetic_near")
    tokenized = view.explanation.source if side == "source" else view.explanation.target
    token = view.place(side)
    token_id = tokenized.ids[token]
    space, nearest = cached(embedding_space, view.checkpoint, side), cached(neighbours_of, *arguments)
    p.offer(
        "neighbours", f"neighbours-{token_id}", "rank token id cosine",
        lambda: ([rank, space.labels[i], i, cosine] for rank, (i, cosine) in enumerate(nearest[token_id], 1)),
        token=tokenized.labels[token],
    )  # fmt: skip


def show_map(p: Page, side: str) -> None:
    """The map of one side; the arithmetic below it is the same for all tokens."""
    view = p.view
    p.answer(word_map, side=side)
    drawn, names = cached(drawn_map, view.checkpoint, view.explanation, side), cached(embedding_space, view.checkpoint, side).labels
    p.offer(
        "map", f"{side}-map", "token id first second neighbour_of",
        lambda: ([names[i], i, *drawn.at[row], names[drawn.ids[drawn.owner[row]]]] for row, i in enumerate(drawn.ids)),
    )  # fmt: skip
    if drawn.left:
        p.write("map_full", most=MOST, different=MOST + drawn.left, left=drawn.left)
    _arithmetic(p, "word_map", side, "arithmetic_map")


def _arithmetic(p: Page, figure: str, side: str, text: str) -> None:
    """The arithmetic below a figure, for which the browser takes the figure's numbers."""
    d_model = str(p.view.config.d_model)
    show_arithmetic(p, {text: p.texts[text]}, figure=figure, where={"side": side}, d_model=d_model)
