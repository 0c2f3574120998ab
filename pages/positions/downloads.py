"""The waves of the positional encoding as CSV. Positions and dimensions count from 0, as in the formula."""

from __future__ import annotations

from collections.abc import Sequence

from pages.positions.compute import Floats, Wave
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
