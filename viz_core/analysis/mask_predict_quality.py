"""Quality of mask-predict by number of passes, stored as passes.json beside the weights of a masked decoder.

`passes` lists passes, bleu, repeated; `beside` has name, bleu, repeated of a checkpoint that writes token by token.
"""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from viz_core.analysis import stored
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate_ids

NAME = "passes.json"
FORMAT = "viz_core passes"
VERSION = 1
MAX_BYTES = 100_000
TRIED = (1, 2, 4, 10)


@dataclass(frozen=True)
class Quality:
    """BLEU, 0…100, and the share of tokens that repeat the one before, 0…1, over all translations."""

    bleu: float
    repeated: float


@dataclass(frozen=True)
class PassQuality:
    """Quality of a masked decoder by number of passes, and of the autoregressive checkpoint `name` on the same sentences."""

    digest: str
    sentences: int
    passes: dict[int, Quality]
    name: str
    beside: Quality


def quality(checkpoint: Checkpoint, sources: Sequence[str], references: Sequence[Sequence[str]], **how: Any) -> Quality:
    """Translates all sentences, greedily or by mask-predict; how: as for `translate_ids`."""
    written = translate_ids(checkpoint, sources, **how)
    repeats = [one == other for ids in written for one, other in pairwise(ids)]
    texts = [checkpoint.tokenizer.decode(ids) for ids in written]
    score = bleu(texts, references, checkpoint.target_language).score
    return Quality(score, sum(repeats) / max(len(repeats), 1))


def to_json(measured: PassQuality) -> bytes:
    """Content of passes.json."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": measured.digest,
        "sentences": measured.sentences,
        "passes": [{"passes": count, **dataclasses.asdict(quality)} for count, quality in measured.passes.items()],
        "beside": {"name": measured.name, **dataclasses.asdict(measured.beside)},
    }
    return (json.dumps(content, indent=2) + "\n").encode()


def read(folder: Path, checkpoint: Checkpoint) -> PassQuality | None:
    """Stored quality of a checkpoint; None if it is missing or belongs to other weights.

    Raises:
        CheckpointError: the file is damaged or not ours; the message says what is wrong.
    """

    def from_fields(content: dict[str, Any]) -> PassQuality | None:
        if content["sha256"] != checkpoint.digest:
            return None
        passes = {stored.whole(row, "passes", 1, 1000): _quality(row) for row in content["passes"]}
        if not passes:
            raise stored.WrongField("passes are missing")
        beside = content["beside"]
        name = stored.text(beside, "name")
        return PassQuality(checkpoint.digest, stored.whole(content, "sentences", 1), passes, name, _quality(beside))

    return stored.read_file(folder / NAME, FORMAT, VERSION, MAX_BYTES, from_fields)


def _quality(fields: dict[str, Any]) -> Quality:
    return Quality(stored.number(fields, "bleu", 0, 100.001), stored.number(fields, "repeated", 0, 1))
