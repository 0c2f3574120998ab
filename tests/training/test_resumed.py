"""A resumed run is compared with what it was begun with; whatever contradicts that is refused with both values."""

import dataclasses
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
import safetensors.torch
from safetensors import safe_open

from tests.training.small_run import SHAPE, small_settings
from viz_core import checkpoint as checkpoints
from viz_core.errors import CheckpointError
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings
from viz_core.training.state import FILE


@pytest.fixture(scope="module")
def begun(pairs: Sequence[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> TrainSettings:
    """A run of one epoch; tests must not change its folder."""
    settings = small_settings(tmp_path_factory.mktemp("begun"), pairs, valid=4)
    Trainer(settings, SHAPE, resume=False).run()
    return settings


@pytest.fixture
def settings(begun: TrainSettings, tmp_path: Path) -> TrainSettings:
    """The same, with a copy of the folder."""
    return dataclasses.replace(begun, out=Path(shutil.copytree(begun.out, tmp_path / "run")))


CHANGES: list[dict[str, Any]] = [
    {"source_language": "fr"}, {"target_language": "fr"}, {"vocab_size": 500}, {"alphabet": 300}, {"tokens": 160}, {"warmup": 11},
    {"learning_rate": 0.5}, {"cooldown": 0.1}, {"smoothing": 0.2}, {"clip": 2.0}, {"average": 0.9}, {"last_epochs": 1}, {"seed": 3},
]  # fmt: skip


def test_another_setting_is_refused_with_both_values(settings: TrainSettings) -> None:
    before = {path: path.read_bytes() for path in settings.out.iterdir()}
    for change in CHANGES:
        ((name, value),) = change.items()
        with pytest.raises(
            CheckpointError, match=f"saved with {name} {getattr(settings, name)}, this run has {value}; resume with"
        ):
            Trainer(dataclasses.replace(settings, **change), SHAPE, resume=True)
    assert {path: path.read_bytes() for path in settings.out.iterdir()} == before


def test_every_setting_is_compared_or_may_change() -> None:
    free = {"pairs", "valid", "out", "start", "epochs", "save_minutes", "keep"}
    assert free | {name for change in CHANGES for name in change} == {field.name for field in dataclasses.fields(TrainSettings)}


@pytest.mark.parametrize("name", ["pairs", "valid"])
def test_other_pairs_are_refused_and_the_same_in_another_file_are_taken(settings: TrainSettings, name: str, tmp_path: Path) -> None:
    lines = getattr(settings, name).read_text().splitlines()
    other = tmp_path / "other.tsv"
    for content in (lines[:-1], [*lines[:-1], lines[-1] + "!"], lines[::-1]):  # fewer; as many; in another order
        other.write_text("\n".join(content))
        with pytest.raises(
            CheckpointError, match=rf"saved with {name} {len(lines)} \(SHA-256 \w+\), this run has {len(content)} \(SHA-256"
        ):
            Trainer(dataclasses.replace(settings, **cast("dict[str, Any]", {name: other})), SHAPE, resume=True)
    other.write_text("\n\n".join(lines), "utf-16")
    Trainer(dataclasses.replace(settings, **cast("dict[str, Any]", {name: other})), SHAPE, resume=True)


def test_another_start_and_another_vocabulary_are_refused(settings: TrainSettings, checkpoint_folder: Path) -> None:
    with pytest.raises(CheckpointError, match=r"saved with start none, this run has tiny \(SHA-256 \w+\)"):
        Trainer(dataclasses.replace(settings, start=checkpoint_folder), SHAPE, resume=True)
    path = settings.out / "tokenizer.json"
    path.write_bytes((checkpoint_folder / "tokenizer.json").read_bytes())
    with pytest.raises(CheckpointError, match=r"saved with vocabulary SHA-256 \w+, this run has SHA-256"):
        Trainer(settings, SHAPE, resume=True)


def test_what_may_change_changes(settings: TrainSettings) -> None:
    more = dataclasses.replace(settings, epochs=2, save_minutes=9.0, keep=(settings.warmup - 4,))
    run = Trainer(more, SHAPE, resume=True)
    assert not run.notes
    run.run()
    assert run.progress.measured == 2
    assert checkpoints.load(settings.out).source_language == "en"
    again = Trainer(dataclasses.replace(more, epochs=1, keep=()), SHAPE, resume=True)
    assert again.notes == ["2 epochs done already, so --epochs 1 leaves nothing to do"]
    again.run()


def test_with_another_number_of_processes_the_epoch_goes_on_where_it_was(settings: TrainSettings) -> None:
    path = settings.out / FILE
    with safe_open(path, framework="pt") as file:
        saved = file.metadata()
    progress = json.loads(saved["progress"])
    progress |= {"processes": 2, "per_epoch": progress["per_epoch"] // 2, "step": 1, "batch": 1, "epoch": 0, "measured": 0}
    path.write_bytes(safetensors.torch.save(safetensors.torch.load_file(path), saved | {"progress": json.dumps(progress)}))
    run = Trainer(settings, SHAPE, resume=True)
    assert (run.progress.batch, run.progress.processes) == (2, 1)  # each of the two processes has done one
    run.run()
    assert run.progress.step == run.total == 1 + run.per_epoch - 2
