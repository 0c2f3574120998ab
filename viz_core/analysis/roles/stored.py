"""Storage of head roles as heads.json beside the weights they were measured on; every field is checked when read.

    format, version   what it is
    sha256            of the model.safetensors that was measured
    sentences         how many were read
    attention         for self, masked and cross: `measures`, `roles`, `evidence` as in `table.Heads`
    importance        as in `table.HeadImportance`, or null

Every list of numbers is layers × heads. Queries and keys count from 0.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from viz_core.analysis.json_fields import Fields
from viz_core.analysis.roles.table import (
    BESIDE_DISTANCE,
    NONE,
    ORDERS,
    SHARES,
    SPREADS,
    Bleu,
    Evidence,
    HeadImportance,
    Heads,
    HeadTable,
    Measure,
)
from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.explain import MAX_CHARACTERS, Notice
from viz_core.trace import BLOCK, Kind

NAME = "heads.json"
FORMAT = "viz_core heads"
VERSION = 2
MAX_BYTES = 20_000_000  # far beyond what any checkpoint of ours needs
DIGITS = 6  # after the point
TINY = 10**-DIGITS


def to_json(table: HeadTable) -> bytes:
    """Content of heads.json."""
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
    path = folder / NAME
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CheckpointError(f"{NAME}: {path.stat().st_size:,} bytes, larger than any of ours")
        content = json.loads(path.read_bytes(), parse_constant=_no_number)
    except FileNotFoundError:
        return None, ()
    except OSError as error:
        raise CheckpointError(f"{NAME}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{NAME}: not JSON ({error}); the copy is incomplete or was changed") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckpointError(f"{NAME}: not made by this program")
    if content.get("version") != VERSION:
        raise CheckpointError(f"{NAME}: version {content.get('version')!r}, this program reads version {VERSION}")
    fields = Fields(NAME, content, (checkpoint.config.n_layers, checkpoint.config.n_heads))
    if fields.text("sha256") != checkpoint.digest:
        return None, (Notice("foreign_heads", {"name": checkpoint.name}),)
    return _table(fields, checkpoint), ()


def _table(fields: Fields, checkpoint: Checkpoint) -> HeadTable:
    attention = fields.inside("attention")
    kinds = {kind: _heads(attention.inside(kind), kind, checkpoint.config.max_len) for kind in BLOCK}
    return HeadTable(checkpoint.digest, fields.whole("sentences", 1), kinds, _importance(fields.maybe("importance")))


def _heads(fields: Fields, kind: Kind, longest: int) -> Heads:
    stored = fields.inside("measures")
    measures = {}
    for name in (*SHARES[kind], *SPREADS, *(ORDERS if kind == "cross" else ())):
        if found := stored.maybe(name):
            measures[name] = _measure(found, name, longest)
    for there, needed in ((bool(measures), SPREADS), ("alignment" in measures, ("agreement",))):
        if there and not measures.keys() >= set(needed):
            raise fields.wrong("measures", f"complete: it lacks {' or '.join(needed)}")
    known = {NONE, *(name for name in SHARES[kind] if name in measures)}
    roles = fields.rows("roles", lambda at, role: at.one_of(role, known))
    evidence = fields.rows("evidence", lambda at, cell: None if cell is None else _evidence(at.of(cell), longest))
    if any((role == NONE) != (cell is None) for row in zip(roles, evidence, strict=True) for role, cell in zip(*row, strict=True)):
        raise fields.wrong("evidence", "a cell for each role, and none where there is no role")
    return Heads(measures, roles, evidence)


def _measure(fields: Fields, name: str, longest: int) -> Measure:
    most = {"distance": longest, "entropy": math.log2(longest) + TINY}.get(name, 1 + TINY)
    beside = fields.table("by_distance", 0, longest) if name in BESIDE_DISTANCE else None
    return Measure(fields.table("values", 0, most), fields.number("uniform", TINY, most), fields.whole("count", 1), beside)


def _evidence(fields: Fields, longest: int) -> Evidence:
    query, key = fields.whole("query", 0, longest - 1), fields.whole("key", 0, longest - 1)
    return Evidence(fields.text("text", MAX_CHARACTERS), query, key, fields.number("weight", 0, 1 + TINY))


def _importance(fields: Fields | None) -> HeadImportance | None:
    if fields is None:
        return None
    log_prob, bleu = fields.inside("log_prob"), fields.maybe("bleu")
    drops = {kind: log_prob.table(kind, -math.inf, math.inf) for kind in BLOCK}
    return HeadImportance(drops, fields.whole("count", 1), _bleu(bleu) if bleu else None)


def _bleu(fields: Fields) -> Bleu:
    drops = fields.inside("drops")
    tables = {kind: drops.table(kind, -100, 100) for kind in BLOCK}
    return Bleu(fields.number("whole", 0, 100), tables, fields.whole("count", 1))


def _plain(value: Any) -> Any:
    """As JSON knows it, numbers to DIGITS after the point."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [_plain(part) for part in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return round(value, DIGITS) if isinstance(value, float) else value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")
