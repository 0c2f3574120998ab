"""Numbers of the page on comparing as CSV: what the model makes of every pair of sentences with a pronoun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viz_core.analysis.pronouns import PronounReading
from viz_core.app.csv_files import Cell, written


def pronouns_csv(readings: Sequence[PronounReading]) -> bytes:
    """Each sentence of each pair with both pronouns: which one is correct, ln p and p."""

    def lines() -> Iterator[list[Cell]]:
        for pair, reading in enumerate(readings, 1):
            for i, sentence in enumerate(reading.schema.sentences):
                for j, pronoun in enumerate(reading.schema.pronouns):
                    log_prob = float(reading.log_probs[i, j])
                    yield [pair, sentence, pronoun, int(i == j), log_prob, float(np.exp(log_prob))]

    return written("pair sentence pronoun correct log_prob probability", lines())
