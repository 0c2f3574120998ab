"""The complete state of a run in one file, so that an interrupted run goes on as if nothing had happened.

Weights, their running average, Adam's moments and the random generator are tensors in a safetensors file; the counters
are JSON in its header. One file replaced in one move is never half old, half new.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor
from torch.optim import Optimizer

from viz_core.errors import CheckpointError
from viz_core.files import write_atomically
from viz_core.model import Transformer

FILE = "training-state.safetensors"


@dataclass
class Progress:
    """Where the run stands.

    Attributes:
        step: optimizer steps done.
        epoch, batch: of the next step.
        best: highest validation BLEU so far.
        seconds: spent training, over all sittings.
        history: one entry a measurement.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best: float = -1.0
    seconds: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)


def save_state(folder: Path, progress: Progress, model: Transformer, averaged: Transformer, optimizer: Optimizer) -> None:
    """Replaces the state file in one move.

    Raises:
        OSError: the disk is full; the state of before is untouched.
    """
    tensors: dict[str, Tensor] = {"rng": torch.get_rng_state()}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        for moment, value in optimizer.state[parameter].items():
            tensors[f"adam.{moment}.{name}"] = value
    tensors |= {f"averaged.{name}": p.detach() for name, p in averaged.named_parameters()}
    content = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
    write_atomically(folder / FILE, safetensors.torch.save(content, metadata={"progress": json.dumps(asdict(progress))}))


def load_state(folder: Path, model: Transformer, averaged: Transformer, optimizer: Optimizer) -> Progress:
    """Puts everything back where save_state took it from.

    Raises:
        CheckpointError: there is no such file, or it belongs to another model.
    """
    path = folder / FILE
    if not path.is_file():
        raise CheckpointError(f"{path}: nothing to resume from")
    try:
        with safe_open(path, framework="pt") as file:
            progress = Progress(**json.loads(file.metadata()["progress"]))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        with torch.no_grad():
            for name, parameter in averaged.named_parameters():
                parameter.copy_(tensors[f"averaged.{name}"])
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
                moments = ("step", "exp_avg", "exp_avg_sq")
                optimizer.state[parameter] = {m: tensors[f"adam.{m}.{name}"].to(parameter.device) for m in moments}
        torch.set_rng_state(tensors["rng"])
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: not the state of this model ({error})") from error
    return progress
