"""Settings of a run of some seconds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz_core.training.settings import TrainSettings


def small_settings(folder: Path, pairs: Sequence[tuple[str, str]], valid: int, **changes: Any) -> TrainSettings:
    """One epoch on the pairs, of which the first `valid` are those of the validation; all files lie in the folder."""
    for name, some in (("train", pairs), ("valid", pairs[:valid])):
        (folder / f"{name}.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in some))
    files: dict[str, Any] = {"pairs": folder / "train.tsv", "valid": folder / "valid.tsv", "out": folder / "run"}
    return TrainSettings(**files, **{"vocab_size": 480, "epochs": 1, "tokens": 150, "warmup": 10, **changes})
