"""The residual stream as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pages.residual.compute import Stop
from viz_core.app.csv_files import Cell, csv_file
from viz_core.trace import Floats


@csv_file("layer place position token length added_length")
def lengths_csv(stops: Sequence[Stop], tokens: Sequence[str], lengths: Floats, added: Floats) -> Iterator[list[Cell]]:
    """The length of each token's vector at each place of the stream, and of what was added there.

    Args:
        lengths, added: (stops, T); added is NaN where nothing is added.
    """
    for at, stop in enumerate(stops):
        layer = None if stop.layer is None else stop.layer + 1
        for i, token in enumerate(tokens):
            added_length = None if np.isnan(added[at, i]) else float(added[at, i])
            yield [layer, stop.name, i + 1, token, float(lengths[at, i]), added_length]
