"""A run with a masked decoder learns, goes on, and leaves a checkpoint of its own kind."""

import dataclasses
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.small_run import small_settings
from viz_core import checkpoint as checkpoints
from viz_core.errors import CheckpointError
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings

SHAPE: dict[str, object] = {
    "d_model": 32, "n_heads": 4, "n_layers": 2, "d_ff": 48, "dropout": 0.0, "max_len": 40, "decoder": "masked",
}  # fmt: skip


@pytest.fixture(scope="module")
def settings(pairs: Sequence[tuple[str, str]], checkpoint_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainSettings:
    """A run on the invented pairs that begins with the small checkpoint."""
    more: dict[str, Any] = {"start": checkpoint_folder, "tokens": 400, "vocab_size": 8000, "warmup": 2000}
    return small_settings(tmp_path_factory.mktemp("masked"), pairs, valid=3, **more)


@pytest.fixture(scope="module")
def learned(settings: TrainSettings) -> Path:
    """The folder after the run."""
    Trainer(settings, SHAPE, resume=False).run()
    return settings.out


def test_the_run_goes_on_where_it_was(learned: Path, settings: TrainSettings, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(learned, folder)
    resumed = Trainer(dataclasses.replace(settings, out=folder), SHAPE, resume=True)
    assert resumed.progress.step == resumed.total > 0
    assert resumed.tokenizer.to_json() == checkpoints.load(learned, "masked").tokenizer.to_json()
    with pytest.raises(CheckpointError, match="saved with decoder masked, this run has causal"):
        Trainer(dataclasses.replace(settings, out=folder), {**SHAPE, "decoder": "causal"}, resume=True)


def test_it_is_no_checkpoint_that_writes_token_by_token(learned: Path) -> None:
    with pytest.raises(CheckpointError, match="its decoder is masked, expected a causal one"):
        checkpoints.load(learned)
    assert checkpoints.kind(learned) == "masked"
    assert checkpoints.load(learned, None).config.decoder == "masked"


def test_it_begins_with_the_weights_and_the_vocabulary_of_another(
    settings: TrainSettings, checkpoint_folder: Path, tmp_path: Path
) -> None:
    trainer = Trainer(dataclasses.replace(settings, out=tmp_path / "new"), SHAPE, resume=False)
    given = checkpoints.load(checkpoint_folder)
    ours, theirs = dict(trainer.model.named_parameters()), dict(given.model.named_parameters())
    assert ours.keys() - theirs.keys() == {"length.weight", "length.bias"}
    for name, parameter in theirs.items():
        assert torch.equal(ours[name], parameter), name
    assert trainer.tokenizer.to_json() == given.tokenizer.to_json()
    with pytest.raises(CheckpointError, match=r"tiny: .* is \(48, 32\), this run has \(64, 32\)"):
        Trainer(dataclasses.replace(settings, out=tmp_path / "other"), {**SHAPE, "d_ff": 64}, resume=False)
