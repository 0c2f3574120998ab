"""W and b of one projection as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from pages.qkv.compute import Projection
from viz_core.app.csv_files import Cell, csv_file


@csv_file("model_dimension head_dimension value")
def weights_csv(made: Projection) -> Iterator[list[Cell]]:
    """W and b of one head, a line for each number; the bias has no model dimension."""
    for m, row in enumerate(made.weight, 1):
        yield from ([m, c, value] for c, value in enumerate(row, 1))
    yield from ([None, c, value] for c, value in enumerate(made.bias, 1))
