"""The numbers of the page's views as CSV. Positions and dimensions count from 0, as in the formula."""

from __future__ import annotations

from collections.abc import Sequence

from pages.positions.compute import Floats, Wave
from viz_core.analysis.embeddings import EmbeddingSum
from viz_core.app.csv_files import written


def waves_csv(tokens: Sequence[str], waves: Sequence[Wave], values: Sequence[Floats]) -> bytes:
    """The values of some dimensions at each position, with the wavelength of each.

    Args:
        tokens: at each position; "" behind the end of the sentence.
        values: for each wave its value at each position, (T,).
    """
    lines = (
        [position, token, wave.dim, wave.name, wave.length, value]
        for wave, column in zip(waves, values, strict=True)
        for position, (token, value) in enumerate(zip(tokens, column, strict=True))
    )
    return written("position token dimension function wavelength value", lines)


def rows_csv(tokens: Sequence[str], rows: Floats) -> bytes:
    """The vector of each position, a line for each number."""
    lines = (
        [position, token, dim, value]
        for position, (token, row) in enumerate(zip(tokens, rows, strict=True))
        for dim, value in enumerate(row)
    )
    return written("position token dimension value", lines)


def products_csv(tokens: Sequence[str], products: Floats) -> bytes:
    """The dot product of each pair of positions."""
    lines = ([a, tokens[a], b, tokens[b], products[a, b]] for a in range(len(tokens)) for b in range(len(tokens)))
    return written("position token other_position other_token product", lines)


def sum_csv(one: EmbeddingSum) -> bytes:
    """One token's embedding, its position vector and their sum, a line for each dimension."""
    numbers = zip(one.embedding, one.position, one.input, strict=True)
    return written("dimension embedding position input", ([dim, *three] for dim, three in enumerate(numbers)))
