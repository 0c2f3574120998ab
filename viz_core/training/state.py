"""Complete state of a training run in one safetensors file, replaced in one move, from which an interrupted run resumes exactly."""

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

from viz_core.config import ModelConfig
from viz_core.errors import CheckpointError
from viz_core.files import write_atomically
from viz_core.model import Transformer

FILE = "training-state.safetensors"


@dataclass
class Progress:
    """Where the run stands.

    Attributes:
        step: optimizer steps done.   epoch, batch: of the next step.   measured: epochs whose validation is done.
        per_epoch: steps in one epoch.   best: highest validation BLEU so far.
        history: one entry a measurement.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    measured: int = 0
    per_epoch: int = 0
    best: float = -1.0
    history: list[dict[str, Any]] = field(default_factory=list)


def check_folder(folder: Path, resume: bool) -> None:
    """Make sure that there is a state to resume from, or nothing that a new run would overwrite; raises CheckpointError."""
    if resume and not (folder / FILE).is_file():
        raise CheckpointError(f"{folder / FILE}: nothing to resume from")
    held = [name for name in (FILE, "config.json") if (folder / name).exists()]
    if held and not resume:
        raise CheckpointError(f"{folder} already holds {' and '.join(held)}: continue with --resume, or choose another folder")


def save_state(folder: Path, progress: Progress, model: Transformer, averaged: Transformer, optimizer: Optimizer) -> None:
    """Replaces the state file in one move; an OSError leaves the old one untouched."""
    tensors: dict[str, Tensor] = {"rng": torch.get_rng_state()}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        for moment, value in optimizer.state[parameter].items():
            tensors[f"adam.{moment}.{name}"] = value
    tensors |= {f"averaged.{name}": p.detach() for name, p in averaged.named_parameters()}
    content = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
    header = {"progress": json.dumps(asdict(progress)), "model": json.dumps(model.config.to_json())}
    write_atomically(folder / FILE, safetensors.torch.save(content, metadata=header))


def load_state(folder: Path, model: Transformer, averaged: Transformer, optimizer: Optimizer, per_epoch: int) -> Progress:
    """Restore what `save_state` saved.

    Raises:
        CheckpointError: the file is damaged, or belongs to another model or other pairs.
    """
    path = folder / FILE
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata()
            progress = Progress(**json.loads(header["progress"]))
            _refuse_another_run(path, header, model, progress.per_epoch, per_epoch)
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        with torch.no_grad():
            for name, parameter in averaged.named_parameters():
                parameter.copy_(tensors[f"averaged.{name}"])
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
                moments = ("step", "exp_avg", "exp_avg_sq")
                optimizer.state[parameter] = {m: tensors[f"adam.{m}.{name}"].to(parameter.device) for m in moments}
        torch.set_rng_state(tensors["rng"])
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: not the state of this model ({error})") from error
    return progress


def _refuse_another_run(path: Path, header: dict[str, str], model: Transformer, saved_steps: int, steps: int) -> None:
    saved = ModelConfig.from_json(json.loads(header["model"])).to_json()  # older ones lack the settings that were added since
    for name, now in model.config.to_json().items():
        if saved[name] != now:
            raise CheckpointError(f"{path}: saved with {name} {saved[name]}, this run has {now}")
    if saved_steps != steps:
        raise CheckpointError(f"{path}: saved with {saved_steps:,} steps an epoch, these pairs and settings give {steps:,}")
