"""The weights that a run kept on its way, beside its checkpoint: what it was after so many steps.

    checkpoints/<name>/snapshots/<step>.safetensors     the weights after that step, as in model.safetensors

They are those of the step itself, not of the running average: that one would still be almost untrained after a thousand steps.
The end of the way is the checkpoint.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from viz_core import checkpoint
from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer

FOLDER = "snapshots"
AT = "@"
"""Between the name of a checkpoint and the step of its training: `en-de-tiny@300`."""


def save(folder: Path, model: Transformer, step: int) -> None:
    """Writes the weights of this step.

    Raises:
        OSError: the disk is full or the folder cannot be written.
    """
    checkpoint.save_weights(_path(folder, step), model)


def saved_steps(folder: Path) -> tuple[int, ...]:
    """The steps of which there are weights, in order; empty if there are none. Whether they are whole, at() says."""
    names = (path.stem for path in (folder / FOLDER).glob("*.safetensors"))
    return tuple(sorted(int(name) for name in names if name.isdecimal()))


def load_at(folder: Path, trained: Checkpoint, step: int) -> Checkpoint:
    """The checkpoint as it was after so many steps: its tokenizer and shape, the weights of then.

    Raises:
        CheckpointError: the file is missing, damaged or of another model.
    """
    return replace(checkpoint.with_weights(trained, _path(folder, step)), name=f"{trained.name}{AT}{step}")


def split_name(name: str) -> tuple[str, int | None]:
    """The folder's name in a checkpoint's, and the step that it was after; None where it is the trained one."""
    base, sign, step = name.partition(AT)
    return (base, int(step)) if sign and step.isascii() and step.isdecimal() else (name, None)


def _path(folder: Path, step: int) -> Path:
    return folder / FOLDER / f"{step}.safetensors"
