"""Numbers of the page Compare as CSV: both pronouns in every pair of sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viz_core.analysis.pronouns import PronounReading
from viz_core.app.csv_files import Cell, csv_file


@csv_file("pair sentence pronoun correct log_prob probability")
def pronouns_csv(readings: Sequence[PronounReading]) -> Iterator[list[Cell]]:
    """Each sentence of each pair with both pronouns: which one is correct, ln p and p."""
    for pair, reading in enumerate(readings, 1):
        for i, sentence in enumerate(reading.schema.sentences):
            for j, pronoun in enumerate(reading.schema.pronouns):
                log_prob = float(reading.log_probs[i, j])
                yield [pair, sentence, pronoun, int(i == j), log_prob, float(np.exp(log_prob))]
