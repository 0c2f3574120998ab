"""Measures and roles of all heads of a checkpoint, and heads.json that stores them. All arrays are (L, h): layers, heads."""

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from viz_core.analysis.json_fields import Fields, read_file
from viz_core.checkpoint import Checkpoint
from viz_core.explain import MAX_CHARACTERS, Notice
from viz_core.trace import BLOCK, Doubles, Kind, heads_shape

SHARES: Mapping[Kind, tuple[str, ...]] = {
    "self": ("self", "previous", "next", "first", "last", "punctuation", "word", "repetition", "article", "near"),
    "masked": ("self", "previous", "first", "punctuation", "word", "repetition", "article", "near"),
    "cross": ("self", "previous", "next", "first", "last", "punctuation", "repetition", "near", "alignment"),
}
"""The measures of each attention that are shares of its weights, and may be a role; their keys stand in `keys.py`."""
SPREADS = ("entropy", "normalised_entropy", "distance")
"""How wide a head looks: bits, their share of the maximum entropy, and tokens between query and key."""
ORDERS = ("agreement", "monotonicity")  # of cross attention alone, from `keys.consensus`
BESIDE_DISTANCE = ("punctuation", "word", "repetition", "article", "alignment")
"""Measures compared with distance: a head may seem to look for such keys when it only looks at a certain distance."""
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
    drops: Mapping[Kind, Doubles]
    count: int


@dataclass(frozen=True, eq=False)
class HeadImportance:
    """Importance of each head by ablation (Michel et al. 2019, §3.2; Voita et al. 2019, §4).

    Attributes:
        log_prob: drop in log-probability of the model's own translation without the head, in nats, mean over `count` sentences; (L,
            h) of each attention.
        bleu: against translations of our own, if there are any.
    """

    log_prob: Mapping[Kind, Doubles]
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
    return (json.dumps(_plain(content), ensure_ascii=False) + "\n").encode()


def read(folder: Path, checkpoint: Checkpoint) -> tuple[HeadTable | None, tuple[Notice, ...]]:
    """Stored head roles of a checkpoint; None if there are none or, with a notice, if they belong to other weights.

    Raises:
        CheckpointError: heads.json is damaged or not ours; the message says what is wrong.
    """
    config = checkpoint.config
    fields = read_file(folder / NAME, FORMAT, VERSION, MAX_BYTES)
    if fields is None:
        return None, ()
    if fields.text("sha256") != checkpoint.digest:
        return None, (Notice("foreign_heads", {"name": checkpoint.name}),)
    attention, importance = fields.inside("attention"), fields.maybe("importance")
    shapes = {kind: heads_shape(config, kind) for kind in BLOCK}
    kinds = {kind: _heads(attention.inside(kind).shaped(shape), kind, config.max_len) for kind, shape in shapes.items()}
    measured = None
    if importance:
        bleu, drops = importance.maybe("bleu"), _drops(importance.inside("log_prob"), math.inf, shapes)
        measured = HeadImportance(drops, importance.whole("count", 1), _bleu(bleu, shapes) if bleu else None)
    return HeadTable(checkpoint.digest, fields.whole("sentences", 1), kinds, measured), ()


def _heads(fields: Fields, kind: Kind, longest: int) -> Heads:
    stored = fields.inside("measures")
    names = (*SHARES[kind], *SPREADS, *(ORDERS if kind == "cross" else ()))
    measures = {name: _measure(measure, name, longest) for name in names if (measure := stored.maybe(name))}
    for there, needed in ((bool(measures), SPREADS), ("alignment" in measures, ("agreement",))):
        if there and not measures.keys() >= set(needed):
            raise fields.wrong("measures", f"complete: it lacks {' or '.join(needed)}")
    known = {NONE, *(name for name in SHARES[kind] if name in measures)}
    roles = fields.rows("roles", lambda at, role: at.one_of(role, known))
    evidence = fields.rows("evidence", lambda at, cell: None if cell is None else _evidence(at.of(cell), longest))
    if [[role == NONE for role in row] for row in roles] != [[cell is None for cell in row] for row in evidence]:
        raise fields.wrong("evidence", "a cell for each role, and none where there is no role")
    return Heads(measures, roles, evidence)


def _measure(fields: Fields, name: str, longest: int) -> Measure:
    most = {"distance": longest, "entropy": math.log2(longest) + TINY}.get(name, 1 + TINY)
    beside = fields.table("by_distance", 0, longest) if name in BESIDE_DISTANCE else None
    return Measure(fields.table("values", 0, most), fields.number("uniform", TINY, most), fields.whole("count", 1), beside)


def _evidence(fields: Fields, longest: int) -> Evidence:
    query, key = fields.whole("query", 0, longest - 1), fields.whole("key", 0, longest - 1)
    return Evidence(fields.text("text", MAX_CHARACTERS), query, key, fields.number("weight", 0, 1 + TINY))


Shapes = Mapping[Kind, tuple[int, int]]


def _bleu(fields: Fields, shapes: Shapes) -> Bleu:
    return Bleu(fields.number("whole", 0, 100), _drops(fields.inside("drops"), 100, shapes), fields.whole("count", 1))


def _drops(fields: Fields, most: float, shapes: Shapes) -> dict[Kind, Doubles]:
    return {kind: fields.shaped(shape).table(kind, -most, most) for kind, shape in shapes.items()}


def _plain(value: Any) -> Any:
    """As JSON knows it, numbers to DIGITS after the point."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return round(value, DIGITS) if isinstance(value, float) else value
