"""The tokens of a given target as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from pages.output.figures import JudgedToken
from viz_core.app.csv_files import Cell, written


def judged_csv(rows: Sequence[JudgedToken]) -> bytes:
    """A line for each token: its probability, its rank, its log-probability, and what the model would have written."""
    lines: list[list[Cell]] = [
        [step, row.token, row.probability, row.rank, row.log_prob, row.best, row.best_probability]
        for step, row in enumerate(rows, 1)
    ]
    return written("step token probability rank log_prob best best_probability", lines)
