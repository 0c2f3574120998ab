"""X, W, b and Y of one projection as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from pages.qkv.compute import Projection
from viz_core.app.csv_files import written


def projected_csv(tokens: Sequence[str], made: Projection) -> bytes:
    """Y = X·W + b: the queries, keys or values of one head, a line for each number."""
    lines = ([i, token, c, value] for i, token in enumerate(tokens, 1) for c, value in enumerate(made.y[i - 1], 1))
    return written("position token dimension value", lines)


def entering_csv(tokens: Sequence[str], made: Projection) -> bytes:
    """X: what the projection reads, a line for each number."""
    lines = ([i, token, m, value] for i, token in enumerate(tokens, 1) for m, value in enumerate(made.x[i - 1], 1))
    return written("position token model_dimension value", lines)


def weights_csv(made: Projection) -> bytes:
    """W and b of one head, a line for each number; the bias has no model dimension."""
    weights = ([m, c, value] for m, row in enumerate(made.weight, 1) for c, value in enumerate(row, 1))
    biases = ([None, c, value] for c, value in enumerate(made.bias, 1))
    return written("model_dimension head_dimension value", (line for part in (weights, biases) for line in part))
