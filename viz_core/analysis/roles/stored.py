"""Storage of head roles as heads.json beside the weights they were measured on; every field is checked when read.

`attention` has for self, masked and cross the `measures`, `roles` and `evidence` of `table.Heads`; `importance` is as in
`table.HeadImportance`, or null. Every list of numbers is layers × heads.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from viz_core.analysis.json_fields import Fields, read_file
from viz_core.analysis.roles.table import (
    BESIDE_DISTANCE,
    NONE,
    ORDERS,
    SHARES,
    SPREADS,
    Bleu,
    Evidence,
    Floats,
    HeadImportance,
    Heads,
    HeadTable,
    Measure,
)
from viz_core.checkpoint import Checkpoint
from viz_core.explain import MAX_CHARACTERS, Notice
from viz_core.trace import BLOCK, Kind

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
    fields = read_file(folder / NAME, FORMAT, VERSION, MAX_BYTES, (config.n_layers, config.n_heads))
    if fields is None:
        return None, ()
    if fields.text("sha256") != checkpoint.digest:
        return None, (Notice("foreign_heads", {"name": checkpoint.name}),)
    attention, importance = fields.inside("attention"), fields.maybe("importance")
    kinds = {kind: _heads(attention.inside(kind), kind, config.max_len) for kind in BLOCK}
    table = HeadTable(checkpoint.digest, fields.whole("sentences", 1), kinds, _importance(importance) if importance else None)
    return table, ()


def _heads(fields: Fields, kind: Kind, longest: int) -> Heads:
    stored = fields.inside("measures")
    names = (*SHARES[kind], *SPREADS, *(ORDERS if kind == "cross" else ()))
    measures = {name: _measure(found, name, longest) for name in names if (found := stored.maybe(name))}
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


def _importance(fields: Fields) -> HeadImportance:
    bleu = fields.maybe("bleu")
    return HeadImportance(_drops(fields.inside("log_prob"), math.inf), fields.whole("count", 1), _bleu(bleu) if bleu else None)


def _bleu(fields: Fields) -> Bleu:
    return Bleu(fields.number("whole", 0, 100), _drops(fields.inside("drops"), 100), fields.whole("count", 1))


def _drops(fields: Fields, most: float) -> dict[Kind, Floats]:
    return {kind: fields.table(kind, -most, most) for kind in BLOCK}


def _plain(value: Any) -> Any:
    """As JSON knows it, numbers to DIGITS after the point."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return round(value, DIGITS) if isinstance(value, float) else value
