"""W and b of one projection as CSV."""

from __future__ import annotations

from pages.qkv.compute import Projection
from viz_core.app.csv_files import written


def weights_csv(made: Projection) -> bytes:
    """W and b of one head, a line for each number; the bias has no model dimension."""
    weights = ([m, c, value] for m, row in enumerate(made.weight, 1) for c, value in enumerate(row, 1))
    biases = ([None, c, value] for c, value in enumerate(made.bias, 1))
    return written("model_dimension head_dimension value", (line for part in (weights, biases) for line in part))
