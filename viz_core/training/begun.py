"""What a run was begun with: stored in its state, and compared when the run is resumed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.training.pair_file import Pair
from viz_core.training.settings import TrainSettings

FREE = ("pairs", "valid", "out", "epochs", "start", "save_minutes", "keep")
"""Settings that may change: those of what is written, and files, whose content is compared in their place."""


def begun_with(
    settings: TrainSettings, shape: Mapping[str, object], pairs: Sequence[Pair], valid: Sequence[Pair], start: Checkpoint | None
) -> dict[str, Any]:
    """Settings by name, the shape of the model, and of each file what identifies its content."""
    return {
        "pairs": _content(pairs),
        "valid": _content(valid),
        "start": f"{start.name} (SHA-256 {start.digest[:12]})" if start else "none",
        **{name: value for name, value in vars(settings).items() if name not in FREE},
        **shape,
    }


def refuse_changes(path: Path, saved: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Compare what both name.

    Raises:
        CheckpointError: something differs; the message names it with both values.
    """
    changed = [f"{name} {saved[name]}, this run has {now[name]}" for name in now if name in saved and saved[name] != now[name]]
    if changed:
        way_out = "resume with what the run was begun with, or begin another one in another folder (--out)"
        raise CheckpointError(f"{path}: saved with {'; '.join(changed)}; {way_out}")


def _content(pairs: Iterable[Pair]) -> str:
    digest, count = hashlib.sha256(), 0
    for source, target in pairs:
        digest.update(f"{source}\t{target}\n".encode())
        count += 1
    return f"{count:,} (SHA-256 {digest.hexdigest()[:12]})"
