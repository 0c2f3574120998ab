"""A given target, token by token, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import cell, html_table

STYLE = """
.scores {{ max-height: 26rem; }} .scores td {{ white-space: pre; }}
.scores td.word {{ font-weight: 600; }} .scores td.same {{ color: {quiet}; font-weight: 400; }}
"""


@dataclass(frozen=True)
class JudgedToken:
    """One token of a given target: its probability, its rank, and what the model would have written."""

    token: str
    probability: float
    rank: int
    log_prob: float
    best: str
    best_probability: float


def judged_table(
    rows: Sequence[JudgedToken],
    *,
    headings: Sequence[str],
    same: str,
    total: str,
    log_prob: float,
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML.

    Args:
        headings: number, typed token, probability, rank, log-probability, what the model would have written.
        same: stands where the model would have written the same.
        total: the name of the last line, whose number is `log_prob`.
        highlighted: index of the current step.
    """
    lines = []
    for i, row in enumerate(rows, 1):
        best = cell(same, "word same") if row.rank == 1 else f"«{row.best}» {percent(row.best_probability)}"
        lines.append([str(i), row.token, percent(row.probability), f"{row.rank:,}", signed(row.log_prob), best])
    lines.append(["", total, "", "", signed(log_prob), ""])
    style = STYLE.format(quiet=palette.quiet)
    return html_table("scores", headings, lines, words=(1, 5), highlighted=highlighted, sums=1, style=style, palette=palette)
