"""What the commands that use a checkpoint share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from viz_core.errors import VizError
from viz_core.files import write_atomically

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint


def add_checkpoint(parser: argparse.ArgumentParser) -> None:
    """Adds the option that names the checkpoint."""
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder of the checkpoint, such as checkpoints/en-de")


def load(folder: Path) -> Checkpoint:
    """The checkpoint, on the GPU where there is one.

    Raises:
        CheckpointError: the folder is no checkpoint of ours, or damaged.
    """
    from viz_core import checkpoint
    from viz_core.training.process import pick_device

    loaded = checkpoint.load(folder, decoder=None)
    loaded.model.to(pick_device())
    return loaded


def write(path: Path, content: bytes) -> None:
    """Replaces the file in one move.

    Raises:
        VizError: it cannot be written; the message says why.
    """
    try:
        write_atomically(path, content)
    except OSError as error:
        raise VizError(f"cannot write {path}: {error.strerror or error}") from error
