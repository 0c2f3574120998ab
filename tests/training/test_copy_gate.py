"""The gate is learned from made-up names while the model stays; what is stored comes back, and what is foreign is refused."""

import shutil
from pathlib import Path

import pytest
import safetensors.torch
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.decoding.copying import FORMAT, NAME, packed, read
from viz_core.errors import CheckpointError
from viz_core.model.pointer import PointerGenerator
from viz_core.training.copy_gate import CopyTrainer, copy_loss, pairs_to_copy, pairs_with_names
from viz_core.training.copy_settings import CopySettings
from viz_core.training.pairs import encode_pairs, make_batch

PAIRS = [
    ("Tom sees Tom's aunt.", "Tom sieht seine Tante."),
    ("In winter Mary sleeps.", "Im Winter schläft Mary."),
    ("The Winter is cold in Boston.", "Der Winter ist kalt in Boston."),
    ("We like Mary.", "Wir mögen Marys Hund."),
]


def test_a_name_stands_once_in_both_and_is_nowhere_written_small() -> None:
    assert pairs_with_names(PAIRS) == [(PAIRS[1], "Mary"), (PAIRS[2], "Boston")]


def test_learning_lowers_the_loss_and_leaves_the_model(checkpoint: Checkpoint) -> None:
    before = {name: value.clone() for name, value in checkpoint.model.state_dict().items()}
    pairs = pairs_to_copy([PAIRS[1], PAIRS[2]] * 8, CopySettings(named=16, plain=4))
    trainer = CopyTrainer(checkpoint, pairs, CopySettings(epochs=12, tokens=400, caution=0))
    ids = encode_pairs(checkpoint, [("In winter Zorvana sleeps.", "Im Winter schläft Zorvana.")])
    at_first = float(copy_loss(checkpoint.model, trainer.pointer, make_batch(ids)).detach())
    assert len(list(trainer)) == len(trainer)
    assert copy_loss(checkpoint.model, trainer.pointer, make_batch(ids)) < 0.8 * at_first
    assert all(torch.equal(value, before[name]) for name, value in checkpoint.model.state_dict().items())


@pytest.fixture
def folder(checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path) -> Path:
    """A copy of the checkpoint with a gate, which may be damaged."""
    copy = Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny"))
    (copy / NAME).write_bytes(packed(PointerGenerator(checkpoint.config), checkpoint.digest, {"seed": 3}))
    return copy


def refused(folder: Path, checkpoint: Checkpoint) -> str:
    with pytest.raises(CheckpointError) as error:
        read(folder, checkpoint)
    return str(error.value)


def test_what_was_written_comes_back(folder: Path, checkpoint: Checkpoint) -> None:
    found, expected = read(folder, checkpoint), PointerGenerator(checkpoint.config)
    assert found
    assert all(torch.equal(a, b) for a, b in zip(found.parameters(), expected.parameters(), strict=True))
    (folder / NAME).unlink()
    assert read(folder, checkpoint) is None


def test_what_is_foreign_or_damaged_is_refused(folder: Path, checkpoint: Checkpoint) -> None:
    path, pointer = folder / NAME, PointerGenerator(checkpoint.config)
    whole = path.read_bytes()
    path.write_bytes(packed(pointer, "0" * 64, {}))
    assert "belongs to other weights" in refused(folder, checkpoint)
    path.write_bytes(whole[:-9])
    assert "cannot be read" in refused(folder, checkpoint)
    header = {"format": FORMAT, "version": "1", "sha256": checkpoint.digest}
    tensors = dict(pointer.state_dict())
    path.write_bytes(safetensors.torch.save({**tensors, "heads": torch.zeros(3)}, metadata=header))
    assert "'heads' is (3,), expected (8,)" in refused(folder, checkpoint)


def test_the_command_writes_a_gate_and_prints_how_well_it_does(
    checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy, pairs = Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny")), tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS), encoding="utf-8")
    assert main(["copy-gate", str(copy), "--pairs", str(pairs), "--test", str(pairs), "--plain", "9"]) == 0
    said = capsys.readouterr().out
    assert "unseen names translated correctly" in said
    assert "without copying: BLEU" in said
    assert read(copy, checkpoint)
