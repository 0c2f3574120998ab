"""Measures and roles of all heads of a checkpoint. All arrays are (L, h): layers, heads."""

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
"""How wide a head looks: bits, their share of the maximum entropy, and tokens between query and key."""
ORDERS = ("agreement", "monotonicity")  # of cross attention alone, from `consensus.py`
BESIDE_DISTANCE = ("punctuation", "word", "repetition", "alignment")
"""What a head may seem to look for when it only looks at a certain distance."""
NONE = "none"  # the role of a head that has none


@dataclass(frozen=True, eq=False)
class Measure:
    """One number a head, averaged over all that was counted.

    Attributes:
        values: (L, h).
        uniform: the same for equal weights on all allowed keys.
        count: how many queries, words or pairs of words were counted.
        by_distance: the same for a head that goes by distance alone, (L, h); of `BESIDE_DISTANCE` only.
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
        """Position between uniform attention (0) and all attention (1); negative where the head attends less than uniformly."""
        return (self.values - self.uniform) / (1 - self.uniform)


@dataclass(frozen=True)
class Evidence:
    """The cell of a sentence where a role shows most clearly: row and column from 0, and its weight in 0…1."""

    text: str
    query: int
    key: int
    weight: float


@dataclass(frozen=True, eq=False)
class Heads:
    """All heads of one attention.

    Attributes:
        measures: by name; one that no sentence could show is not there.
        roles: the name of a measure, or NONE, for each layer and head.   evidence: None where there is no role.
    """

    measures: Mapping[str, Measure]
    roles: tuple[tuple[str, ...], ...]
    evidence: tuple[tuple[Evidence | None, ...], ...]


@dataclass(frozen=True, eq=False)
class Bleu:
    """BLEU with all heads, 0…100, and its drop without each head, (L, h) of each attention, over `count` sentences."""

    whole: float
    drops: Mapping[Kind, Floats]
    count: int


@dataclass(frozen=True, eq=False)
class HeadImportance:
    """Importance of each head by ablation (Michel et al. 2019, §3.2; Voita et al. 2019, §4).

    Attributes:
        log_prob: drop in log-probability of the model's own translation without the head, in nats, mean over `count` sentences; (L,
            h) of each attention.
        bleu: against translations of our own, if there are any.
    """

    log_prob: Mapping[Kind, Floats]
    count: int
    bleu: Bleu | None = None


@dataclass(frozen=True, eq=False)
class HeadTable:
    """Every head of a checkpoint, measured over `count` sentences.

    Attributes:
        digest: SHA-256 of the weights it was measured on.
        importance: None if it was not measured.
    """

    digest: str
    count: int
    kinds: Mapping[Kind, Heads]
    importance: HeadImportance | None = None
