"""Snapshots: weights after some steps of training, not averaged, beside the checkpoint as snapshots/<step>.safetensors."""

from dataclasses import replace
from pathlib import Path

from viz_core import checkpoint
from viz_core.checkpoint import Checkpoint
from viz_core.files import write_atomically
from viz_core.model import Transformer
from viz_core.weights import pack

FOLDER = "snapshots"
AT = "@"  # between the name of a checkpoint and the step of its training: `en-de-tiny@300`


def save(folder: Path, model: Transformer, step: int) -> None:
    """Writes the weights of this step; raises OSError if the disk is full or the folder cannot be written."""
    write_atomically(_path(folder, step), pack(model))


def saved_steps(folder: Path) -> tuple[int, ...]:
    """The steps with saved weights, in order; empty if there are none. `load_at` verifies them."""
    names = (path.stem for path in (folder / FOLDER).glob("*.safetensors"))
    return tuple(sorted(int(name) for name in names if name.isdecimal()))


def load_at(folder: Path, trained: Checkpoint, step: int) -> Checkpoint:
    """The checkpoint with the weights saved after `step` steps.

    Raises:
        CheckpointError: the file is missing, damaged or of another model.
    """
    return replace(checkpoint.with_weights(trained, _path(folder, step)), name=f"{trained.name}{AT}{step}")


def split_name(name: str) -> tuple[str, int | None]:
    """Splits a checkpoint's name into folder and step; the step is None for the trained one."""
    base, sign, step = name.partition(AT)
    return (base, int(step)) if sign and step.isascii() and step.isdecimal() else (name, None)


def _path(folder: Path, step: int) -> Path:
    return folder / FOLDER / f"{step}.safetensors"
