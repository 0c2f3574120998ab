"""Measures and roles of all heads of a checkpoint, stored in heads.json. All arrays are (L, h): layers, heads."""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from viz_core.analysis import stored
from viz_core.checkpoint import Checkpoint
from viz_core.explain import MAX_CHARACTERS, Notice
from viz_core.trace import BLOCK, Doubles, Kind, heads_shape

SHARES: Mapping[Kind, tuple[str, ...]] = {
    "self": ("self", "previous", "next", "first", "last", "punctuation", "word", "repetition", "article", "near"),
    "masked": ("self", "previous", "first", "punctuation", "word", "repetition", "article", "near"),
    "cross": ("self", "previous", "next", "first", "last", "punctuation", "repetition", "near", "alignment"),
}
"""Measures of each attention that are shares of its weights, and so may be a role; `keys.py` defines their keys."""
SPREADS = ("entropy", "normalised_entropy", "distance")
"""How wide a head looks: bits, their share of the maximum entropy, and tokens between query and key."""
ORDERS = ("agreement", "monotonicity")  # cross attention only, from `keys.consensus`
BESIDE_DISTANCE = ("punctuation", "word", "repetition", "article", "alignment")
"""Measures compared with distance: a head may seem to look for such keys when it merely looks at a certain distance."""
NONE = "none"  # the role of a head without one


@dataclass(frozen=True, eq=False)
class Measure:
    """One number per head, averaged over `count` cases.

    Attributes:
        values: (L, h).
        uniform: the value for equal weights on all allowed keys.
        count: how many queries, words or pairs of words were averaged over.
        by_distance: the value for a head that goes by distance alone, (L, h); for `BESIDE_DISTANCE` only.
    """

    values: Doubles
    uniform: float
    count: int
    by_distance: Doubles | None = None

    @property
    def times(self) -> Doubles:
        """Ratio to uniform attention."""
        return self.values / self.uniform

    @property
    def prominence(self) -> Doubles:
        """Position between uniform attention (0) and all attention (1); negative where the head attends less than uniformly."""
        return (self.values - self.uniform) / (1 - self.uniform)


@dataclass(frozen=True)
class Evidence:
    """The cell of a sentence that shows a role most clearly: row and column from 0, and its weight in 0…1."""

    text: str
    query: int
    key: int
    weight: float


@dataclass(frozen=True, eq=False)
class Heads:
    """All heads of one attention.

    Attributes:
        measures: by name; those that no sentence could show are left out.
        roles: the name of a measure, or NONE, for each layer and head.
        evidence: None for a head without a role.
    """

    measures: Mapping[str, Measure]
    roles: tuple[tuple[str, ...], ...]
    evidence: tuple[tuple[Evidence | None, ...], ...]


@dataclass(frozen=True, eq=False)
class Bleu:
    """BLEU with all heads, 0…100, and its drop without each head, (L, h) for each attention, over `count` sentences."""

    whole: float
    drops: Mapping[Kind, Doubles]
    count: int


@dataclass(frozen=True, eq=False)
class HeadImportance:
    """Importance of each head by ablation (Michel et al. 2019, §3.2; Voita et al. 2019, §4).

    Attributes:
        log_prob: drop in log-probability of the model's own translation without the head, in nats, mean over `count` sentences; (L,
            h) for each attention.
        bleu: against reference translations of our own, if there are any.
    """

    log_prob: Mapping[Kind, Doubles]
    count: int
    bleu: Bleu | None = None


@dataclass(frozen=True, eq=False)
class HeadTable:
    """Every head of a checkpoint, measured over `count` sentences.

    Attributes:
        digest: SHA-256 of the weights it was measured on.
        importance: None if not measured.
    """

    digest: str
    count: int
    kinds: Mapping[Kind, Heads]
    importance: HeadImportance | None = None


NAME = "heads.json"
FORMAT = "viz_core heads"
VERSION = 2
MAX_BYTES = 20_000_000  # far beyond what any checkpoint of ours needs
DIGITS = 6  # after the point
TINY = 10**-DIGITS


def to_json(table: HeadTable) -> bytes:
    content = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": table.digest,
        "sentences": table.count,
        "attention": {kind: dataclasses.asdict(heads) for kind, heads in table.kinds.items()},
        "importance": table.importance and dataclasses.asdict(table.importance),
    }
    return (json.dumps(plain(content), ensure_ascii=False) + "\n").encode()


def read(folder: Path, checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """Stored head roles of a checkpoint; None if there are none or, with a notice, if they belong to other weights.

    Raises:
        CheckpointError: heads.json is damaged or not ours; the message says what is wrong.
    """
    return stored.read_file(folder / NAME, FORMAT, VERSION, MAX_BYTES, partial(_read, checkpoint=checkpoint)) or (None, ())


def _read(content: dict[str, Any], checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    config = checkpoint.config
    if stored.text(content, "sha256") != checkpoint.digest:
        return None, (Notice("foreign_heads", {"name": checkpoint.name}),)
    shapes = {kind: heads_shape(config, kind) for kind in BLOCK}

    def drops(of: dict[str, Any], most: float) -> dict[Kind, Doubles]:
        return {kind: stored.table(of, kind, -most, most, shape) for kind, shape in shapes.items()}

    kinds = {kind: _heads(content["attention"][kind], kind, shape, config.max_len) for kind, shape in shapes.items()}
    importance, measured = content.get("importance"), None
    if importance:
        bleu = importance.get("bleu")
        if bleu:
            bleu = Bleu(stored.number(bleu, "whole", 0, 100), drops(bleu["drops"], 100), stored.whole(bleu, "count", 1))
        measured = HeadImportance(drops(importance["log_prob"], math.inf), stored.whole(importance, "count", 1), bleu)
    return HeadTable(checkpoint.digest, stored.whole(content, "sentences", 1), kinds, measured), ()


def _heads(content: dict[str, Any], kind: Kind, shape: tuple[int, int], longest: int) -> Heads:
    known, place = content["measures"], partial(stored.whole, least=0, most=longest - 1)

    def measure(name: str) -> Measure:
        counts, most = known[name], {"distance": longest, "entropy": math.log2(longest) + TINY}.get(name, 1 + TINY)
        values, uniform = stored.table(counts, "values", 0, most, shape), stored.number(counts, "uniform", TINY, most)
        beside = stored.table(counts, "by_distance", 0, longest, shape) if name in BESIDE_DISTANCE else None
        return Measure(values, uniform, stored.whole(counts, "count", 1), beside)

    def evidence(role: str, cell: dict[str, Any] | None) -> Evidence | None:
        if role not in (NONE, *SHARES[kind]) or (role != NONE and role not in measures) or (role == NONE) != (cell is None):
            raise stored.WrongField(f"{role!r:.40} is no role of such a head, or has no evidence")
        if cell is None:
            return None
        weight = stored.number(cell, "weight", 0, 1 + TINY)
        return Evidence(stored.text(cell, "text", MAX_CHARACTERS), place(cell, "query"), place(cell, "key"), weight)

    measures = {name: measure(name) for name in (*SHARES[kind], *SPREADS, *ORDERS) if known.get(name)}
    needed = {*(SPREADS if measures else ()), *(["agreement"] if "alignment" in measures else ())}
    if lacking := needed - measures.keys():
        raise stored.WrongField(f"the measures of {kind} lack {min(lacking)}")
    cells = [list(zip(*rows, strict=True)) for rows in zip(content["roles"], content["evidence"], strict=True)]
    if (len(cells), *{len(row) for row in cells}) != shape:
        raise stored.WrongField(f"there are no {shape[0]} rows of {shape[1]} roles, one for each head of this model")
    return Heads(
        measures,
        tuple(tuple(role for role, _ in row) for row in cells),
        tuple(tuple(evidence(*role_and_cell) for role_and_cell in row) for row in cells),
    )


def plain(value: Any) -> Any:
    """The value in JSON's types, numbers to DIGITS after the point."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return round(value, DIGITS) if isinstance(value, float) else value
