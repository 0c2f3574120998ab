"""Tables of the measures and roles of all heads of a checkpoint. All arrays are (L, h): layers, heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viz_core.trace import Kind

Floats = npt.NDArray[np.float64]

SHARES: Mapping[Kind, tuple[str, ...]] = {
    "self": ("self", "previous", "next", "first", "last", "punctuation", "word", "repetition", "near"),
    "masked": ("self", "previous", "first", "punctuation", "word", "repetition", "near"),
    "cross": ("self", "previous", "next", "first", "last", "punctuation", "repetition", "near", "alignment"),
}
"""The measures of each attention that are shares of its weights, and may be a role; their keys stand in `keys.py`."""
SPREADS = ("entropy", "normalised_entropy", "distance")
"""How wide a head looks: bits, their share of the most possible, and tokens between query and key."""
ORDERS = ("agreement", "monotonicity")
"""Of cross attention alone, from `consensus.py`."""
BESIDE_DISTANCE = ("punctuation", "word", "repetition", "alignment")
"""What a head may seem to look for when it only looks at a certain distance."""
NONE = "none"
"""The role of a head that has none."""


@dataclass(frozen=True, eq=False)
class Measure:
    """One number a head, averaged over all that was counted.

    Attributes:
        values: (L, h).
        uniform: what equal weights on everything that may be looked at would give on the same sentences.
        count: how many queries, words or pairs of words were counted.
        by_distance: what each head would give the same keys if it went by distance alone, (L, h); of `BESIDE_DISTANCE` only.
    """

    values: Floats
    uniform: float
    count: int
    by_distance: Floats | None = None

    @property
    def times(self) -> Floats:
        """Ratio to uniform attention."""
        return self.values / self.uniform

    @property
    def prominence(self) -> Floats:
        """Position between uniform attention (0) and all attention (1); below 0 where the head attends less than uniformly."""
        return (self.values - self.uniform) / (1 - self.uniform)


@dataclass(frozen=True)
class Evidence:
    """Where a role shows most clearly: one cell of one sentence.

    Attributes:
        text: the sentence.
        query, key: row and column, from 0.
        weight: of that cell, in 0…1.
    """

    text: str
    query: int
    key: int
    weight: float


@dataclass(frozen=True, eq=False)
class Heads:
    """All heads of one attention.

    Attributes:
        measures: by name; one that no sentence could show is not there.
        roles: the name of a measure, or NONE, for each layer and head.
        evidence: None where there is no role.
    """

    measures: Mapping[str, Measure]
    roles: tuple[tuple[str, ...], ...]
    evidence: tuple[tuple[Evidence | None, ...], ...]


@dataclass(frozen=True, eq=False)
class Bleu:
    """BLEU with all heads, and its drop without each head.

    Attributes:
        whole: BLEU with all heads in, 0…100.
        drops: whole − BLEU without the head, (L, h) of each attention; below 0 where it is better without.
        count: sentences.
    """

    whole: float
    drops: Mapping[Kind, Floats]
    count: int


@dataclass(frozen=True, eq=False)
class HeadImportance:
    """Importance of each head by ablation (Michel et al. 2019, §3.2; Voita et al. 2019, §4).

    Attributes:
        log_prob: how much less probable the model finds its own translation without the head, in nats, mean of the sentences;
            (L, h) of each attention, below 0 where it finds it more probable.
        count: sentences.
        bleu: against translations of our own, if there are any.
    """

    log_prob: Mapping[Kind, Floats]
    count: int
    bleu: Bleu | None = None


@dataclass(frozen=True, eq=False)
class HeadTable:
    """Every head of a checkpoint.

    Attributes:
        digest: SHA-256 of the weights it was measured on.
        count: sentences.
        kinds: the three attentions.
        importance: None if it was not measured.
    """

    digest: str
    count: int
    kinds: Mapping[Kind, Heads]
    importance: HeadImportance | None = None
