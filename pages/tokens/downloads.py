"""How one word is built, as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.tokens.compute import MergeRow
from viz_core.app.csv_files import Cell, csv_file


@csv_file("step rank position token merged")
def merges_csv(rows: Sequence[MergeRow]) -> Iterator[list[Cell]]:
    """The tokens of the word before the first merge (step 0) and after each one; merged is 1 for the token that it made."""
    for step, row in enumerate(rows):
        rank = None if row.merge is None else row.merge.rank + 1
        for i, token in enumerate(row.tokens):
            yield [step, rank, i + 1, token.text, int(i == row.joined)]
