"""A run of some seconds: its model and its settings."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz_core.training.settings import TrainSettings

SHAPE: dict[str, object] = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 24, "dropout": 0.1, "max_len": 48}


def small_settings(folder: Path, pairs: Sequence[tuple[str, str]], valid: int, **changes: Any) -> TrainSettings:
    """One epoch on the pairs, of which the first `valid` are those of the validation; all files lie in the folder."""
    for name, some in (("train", pairs), ("valid", pairs[:valid])):
        (folder / f"{name}.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in some))
    files: dict[str, Any] = {"pairs": folder / "train.tsv", "valid": folder / "valid.tsv", "out": folder / "run"}
    return TrainSettings(**files, **{"vocab_size": 480, "epochs": 1, "tokens": 150, "warmup": 10, **changes})


def command(settings: TrainSettings) -> list[str]:
    """What is typed for a run of the small model with these settings, those that differ from the defaults."""
    given = {field.name: getattr(settings, field.name) for field in dataclasses.fields(settings)}
    usual = {field.name: field.default for field in dataclasses.fields(settings)}
    typed = SHAPE | {name: value for name, value in given.items() if value != usual[name]}
    return ["train", *(f"--{name.replace('_', '-')}={value}" for name, value in typed.items())]
