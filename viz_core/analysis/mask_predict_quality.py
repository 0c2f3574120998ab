"""Quality of mask-predict by number of passes, stored as passes.json beside the weights of a masked decoder.

format, version   what it is
sha256            of the model.safetensors that was measured
sentences         how many were translated
passes            for each number of passes: passes, bleu, repeated
beside            the checkpoint that writes token by token, on the same sentences: name, bleu, repeated
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from viz_core.analysis.json_fields import Fields
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate_ids
from viz_core.errors import CheckpointError

NAME = "passes.json"
FORMAT = "viz_core passes"
VERSION = 1
MAX_BYTES = 100_000
TRIED = (1, 2, 4, 10)


@dataclass(frozen=True)
class Quality:
    """BLEU and repetition of all translations together.

    Attributes:
        bleu: 0…100.
        repeated: share of the tokens that are the same as the one before, 0…1.
    """

    bleu: float
    repeated: float


@dataclass(frozen=True)
class PassQuality:
    """Quality of a masked decoder for each number of passes, and of an autoregressive one on the same sentences."""

    digest: str
    sentences: int
    passes: dict[int, Quality]
    name: str
    beside: Quality


def quality(checkpoint: Checkpoint, sources: Sequence[str], references: Sequence[Sequence[str]], **how: Any) -> Quality:
    """Translates all sentences, greedily or by mask-predict; how: as for `translate_ids`."""
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    written = translate_ids(model, tokenizer, checkpoint.source_language, sources, **how)
    pairs = [one == other for ids in written for one, other in pairwise(ids)]
    score = bleu([tokenizer.decode(ids) for ids in written], references).score
    return Quality(score, sum(pairs) / max(len(pairs), 1))


def to_json(measured: PassQuality) -> bytes:
    """Content of passes.json."""
    rows = [{"passes": count, **dataclasses.asdict(each)} for count, each in measured.passes.items()]
    content = {
        "format": FORMAT,
        "version": VERSION,
        "sha256": measured.digest,
        "sentences": measured.sentences,
        "passes": rows,
        "beside": {"name": measured.name, **dataclasses.asdict(measured.beside)},
    }
    return (json.dumps(content, indent=2) + "\n").encode()


def read(folder: Path, checkpoint: Checkpoint) -> PassQuality | None:
    """Stored quality of a checkpoint; None if there is none, or if it belongs to other weights.

    Raises:
        CheckpointError: the file is damaged or not ours; the message says what is wrong.
    """
    path = folder / NAME
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CheckpointError(f"{NAME}: {path.stat().st_size:,} bytes, larger than any of ours")
        content = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"{NAME}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{NAME}: not JSON ({error}); the copy is incomplete or was changed") from error
    if not isinstance(content, dict) or (content.get("format"), content.get("version")) != (FORMAT, VERSION):
        raise CheckpointError(f"{NAME}: not made by this program")
    fields = Fields(NAME, content, (0, 0))
    digest = fields.text("sha256")
    if digest != checkpoint.digest:
        return None
    rows, beside = content.get("passes"), fields.inside("beside")
    if not isinstance(rows, list):
        raise fields.wrong("passes", "a list")
    passes = {fields.of(row).whole("passes", 1, 1000): _quality(fields.of(row)) for row in rows}
    return PassQuality(digest, fields.whole("sentences", 1), passes, beside.text("name"), _quality(beside))


def _quality(fields: Fields) -> Quality:
    return Quality(fields.number("bleu", 0, 100.001), fields.number("repeated", 0, 1))
