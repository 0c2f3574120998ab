"""Timing two things side by side, and the line that a result is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import torch

Work = Callable[[], object]
WARM_UP = 2
"""Rounds that do not count, before the others."""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        what: was measured.
        ours, other: in `unit`; other is None where there is nobody to compare with.
        aim: at most this much, of the ratio where there is another, else of ours; None if there is no aim.
        threads: of torch; None where another process did the work.
    """

    what: str
    ours: float
    other: float | None = None
    aim: float | None = None
    unit: str = "ms"
    threads: int | None = None

    @property
    def ratio(self) -> float | None:
        """Ours / other: below 1, ours takes less."""
        return None if self.other is None else self.ours / self.other

    @property
    def verdict(self) -> str:
        """Whether the aim is met; empty if there is none."""
        if self.aim is None:
            return ""
        return "met" if (self.ours if self.ratio is None else self.ratio) <= self.aim else "MISSED"

    def cells(self) -> list[str]:
        """The row as text, one cell for each of TITLES."""
        ours, other = (f"{value:,.1f} {self.unit}" if value is not None else "" for value in (self.ours, self.other))
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        aim = "" if self.aim is None else f"≤ {round(self.aim, 2):g}" if self.ratio is not None else f"≤ {self.aim:g} {self.unit}"
        return [self.what, ours, other, ratio, aim, self.verdict, "" if self.threads is None else str(self.threads)]


TITLES = ["what", "ours", "other", "ratio", "aim", "verdict", "threads"]


def table(rows: list[Row]) -> str:
    """All rows under their titles, aligned: words to the left, numbers to the right."""
    lines = [TITLES, *(row.cells() for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["─" * width for width in widths])
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def side_by_side(ours: Work, other: Work, rounds: int) -> tuple[float, float]:
    """Milliseconds of each: medians over rounds in which the two take turns, so that noise of the machine meets both."""
    times: dict[Work, list[float]] = {ours: [], other: []}
    for turn in range(-WARM_UP, rounds):
        for work in (ours, other) if turn % 2 else (other, ours):
            started = time.perf_counter()
            work()
            if turn >= 0:
                times[work].append(1000 * (time.perf_counter() - started))
    return median(times[ours]), median(times[other])


def alone(work: Work, rounds: int) -> float:
    """Milliseconds: the median over rounds."""
    return side_by_side(work, lambda: None, rounds)[0]


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Inside, torch computes with so many threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
