"""The mean of the weights at the ends of the last epochs, as Vaswani et al. (2017, §6.1) average their last checkpoints."""

from pathlib import Path

import torch

from viz_core.errors import CheckpointError
from viz_core.files import write_atomically
from viz_core.model import Transformer
from viz_core.weights import pack, unpack

FOLDER = "epochs"


def keep(folder: Path, model: Transformer, epoch: int, count: int) -> None:
    """Saves the weights at the end of an epoch in float32, and deletes those older than the last `count`."""
    write_atomically(_path(folder, epoch), pack(model, torch.float32))
    _path(folder, epoch - count).unlink(missing_ok=True)


@torch.no_grad()
def mean(folder: Path, model: Transformer, epoch: int, count: int) -> Transformer | None:
    """A model with the mean weights of the last `count` epochs; None while there are fewer.

    Raises:
        CheckpointError: a file is missing, damaged or of another model.
    """
    if epoch < count:
        return None
    total: Transformer | None = None
    for path in (_path(folder, e) for e in range(epoch - count + 1, epoch + 1)):
        try:
            one = unpack(model.config, path.read_bytes(), path.name)
        except OSError as error:
            raise CheckpointError(f"{path}: cannot be read ({error})") from error
        for name, parameter in one.named_parameters():
            parameter.div_(count)
            if total:
                parameter.add_(total.get_parameter(name))
        total = one
    return total.to(next(model.parameters()).device) if total else None


def _path(folder: Path, epoch: int) -> Path:
    return folder / FOLDER / f"{epoch}.safetensors"
