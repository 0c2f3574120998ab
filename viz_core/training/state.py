"""Complete state of a training run in one safetensors file, replaced atomically, from which an interrupted run resumes exactly."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor
from torch.optim import Optimizer

from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.files import write_atomically
from viz_core.model import Transformer
from viz_core.training.pair_file import Pair
from viz_core.training.settings import TrainSettings

FILE = "training-state.safetensors"


@dataclass
class Progress:
    """How far the run is.

    Attributes:
        step: optimizer steps done.   epoch, batch: of the next step.   measured: epochs with validation done.
        per_epoch: steps in one epoch.   processes: number that share each epoch.   best: highest validation BLEU so far.
        history: one entry per measurement.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    measured: int = 0
    per_epoch: int = 0
    processes: int = 0
    best: float = -1.0
    history: list[dict[str, Any]] = field(default_factory=list)


def check_folder(folder: Path, resume: bool) -> None:
    """Raises a CheckpointError if there is no state to resume from, or if a new run would overwrite something."""
    if resume and not (folder / FILE).is_file():
        raise CheckpointError(f"{folder / FILE}: nothing to resume from")
    held = [name for name in (FILE, "config.json") if (folder / name).exists()]
    if held and not resume:
        raise CheckpointError(f"{folder} already holds {' and '.join(held)}: continue with --resume, or choose another folder")


def save_state(
    folder: Path, progress: Progress, model: Transformer, averaged: Transformer, optimizer: Optimizer, begun: Mapping[str, Any]
) -> None:
    """Replaces the state file atomically; an OSError leaves the old one untouched. begun: the settings and files at the start."""
    tensors: dict[str, Tensor] = {"rng": torch.get_rng_state()}
    for name, parameter in model.named_parameters():
        tensors[f"model.{name}"] = parameter.detach()
        for moment, value in optimizer.state[parameter].items():
            tensors[f"adam.{moment}.{name}"] = value
    tensors |= {f"averaged.{name}": p.detach() for name, p in averaged.named_parameters()}
    content = {name: tensor.cpu().contiguous() for name, tensor in tensors.items()}
    header = {
        "progress": json.dumps(asdict(progress)),
        "begun": json.dumps(dict(begun)),
    }
    write_atomically(folder / FILE, safetensors.torch.save(content, metadata=header))


def read_begun(folder: Path) -> dict[str, Any]:
    """The settings and files with which a saved run was started.

    Raises:
        CheckpointError: the file is damaged.
    """
    path = folder / FILE
    try:
        with safe_open(path, framework="pt") as file:
            begun = (file.metadata() or {}).get("begun")
        if begun is None:
            why = "an earlier version of this program wrote it, which did not note what the run was begun with"
            raise CheckpointError(f"{path}: {why}; begin another run in another folder (--out)")
        return dict(json.loads(begun))
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: not the state of this model ({error})") from error


def load_state(
    folder: Path, model: Transformer, averaged: Transformer, optimizer: Optimizer, per_epoch: int, processes: int
) -> Progress:
    """Restores what `save_state` saved; with another number of processes the epoch continues at the same place.

    Raises:
        CheckpointError: the file is damaged, or belongs to another model.
    """
    path = folder / FILE
    try:
        with safe_open(path, framework="pt") as file:
            progress = Progress(**json.loads(file.metadata()["progress"]))
            progress.batch = progress.batch * progress.processes // processes
            progress.per_epoch, progress.processes = per_epoch, processes
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        with torch.no_grad():
            for name, parameter in averaged.named_parameters():
                parameter.copy_(tensors[f"averaged.{name}"])
            for name, parameter in model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
                moments = ("step", "exp_avg", "exp_avg_sq") if progress.step else ()
                optimizer.state[parameter] = {m: tensors[f"adam.{m}.{name}"].to(parameter.device) for m in moments}
        torch.set_rng_state(tensors["rng"])
    except (SafetensorError, OSError, KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path}: not the state of this model ({error})") from error
    return progress


FREE = ("pairs", "valid", "out", "epochs", "start", "save_minutes", "keep")
"""Settings that may change: those about saving, and files, whose content is compared instead."""


def begun_with(
    settings: TrainSettings, shape: Mapping[str, object], pairs: Sequence[Pair], valid: Sequence[Pair], start: Checkpoint | None
) -> dict[str, Any]:
    """Settings by name, the shape of the model, and a hash of each file's content."""
    return {
        "pairs": _content(pairs),
        "valid": _content(valid),
        "start": f"{start.name} (SHA-256 {start.digest[:12]})" if start else "none",
        **{name: value for name, value in vars(settings).items() if name not in FREE},
        **shape,
    }


def refuse_changes(path: Path, saved: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Compares the entries that both have.

    Raises:
        CheckpointError: something differs; the message names it with both values.
    """
    changed = [f"{name} {saved[name]}, this run has {now[name]}" for name in now if name in saved and saved[name] != now[name]]
    if changed:
        way_out = "resume with the same settings and files, or start a new run in another folder (--out)"
        raise CheckpointError(f"{path}: saved with {'; '.join(changed)}; {way_out}")


def _content(pairs: Iterable[Pair]) -> str:
    digest, count = hashlib.sha256(), 0
    for source, target in pairs:
        digest.update(f"{source}\t{target}\n".encode())
        count += 1
    return f"{count:,} (SHA-256 {digest.hexdigest()[:12]})"
