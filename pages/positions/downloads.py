"""The waves of the positional encoding as CSV. Positions count from 0, as in the formula, dimensions from 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.positions.compute import Wave
from viz_core.app.csv_files import Cell, csv_file
from viz_core.trace import Floats


@csv_file("position token dimension function wavelength value")
def waves_csv(tokens: Sequence[str], waves: Sequence[Wave], values: Sequence[Floats]) -> Iterator[list[Cell]]:
    """The values of some dimensions at each position, with the wavelength of each.

    Args:
        tokens: at each position; "" after the end of the sentence.
        values: for each wave its value at each position, (T,).
    """
    for wave, column in zip(waves, values, strict=True):
        for position, (token, value) in enumerate(zip(tokens, column, strict=True)):
            yield [position, token, wave.dim + 1, wave.name, wave.length, value]
