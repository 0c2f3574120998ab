"""Storage of a trained pointer-generator as copy_gate.safetensors beside its model's weights; every field is checked when read.

Its header has `format`, `version`, `sha256` of the model.safetensors that it belongs to, and `settings`, JSON: how it was trained.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError, safe_open

from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.model.pointer import PointerGenerator

NAME = "copy_gate.safetensors"
FORMAT, VERSION = "viz_core copy gate", "1"
MAX_BYTES = 1_000_000  # far beyond what any checkpoint of ours needs


def packed(pointer: PointerGenerator, digest: str, settings: Mapping[str, Any]) -> bytes:
    """Content of the file; digest: SHA-256 of the model.safetensors that it was trained on."""
    tensors = {name: parameter.detach().cpu().contiguous() for name, parameter in pointer.named_parameters()}
    header = {"format": FORMAT, "version": VERSION, "sha256": digest, "settings": json.dumps(dict(settings))}
    return safetensors.torch.save(tensors, metadata=header)


def read(folder: Path, checkpoint: Checkpoint) -> PointerGenerator | None:
    """The pointer stored beside a checkpoint, ready to be used; None where there is none.

    Raises:
        CheckpointError: it is damaged, not ours, or belongs to other weights; the message says which.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CheckpointError(f"{NAME}: {path.stat().st_size:,} bytes, larger than any of ours")
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError, ValueError) as error:
        raise CheckpointError(f"{NAME}: cannot be read ({error}); the copy is incomplete or was changed") from error
    if header.get("format") != FORMAT:
        raise CheckpointError(f"{NAME}: not made by this program")
    if header.get("version") != VERSION:
        raise CheckpointError(f"{NAME}: version {header.get('version')!r}, this program reads version {VERSION!r}")
    if header.get("sha256") != checkpoint.digest:
        raise CheckpointError(
            f"{NAME}: belongs to other weights than those of {checkpoint.name!r}; python -m viz_core copy-gate trains one for them"
        )
    pointer = PointerGenerator(checkpoint.config)
    expected = {name: tuple(parameter.shape) for name, parameter in pointer.named_parameters()}
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if found != expected:
        odd = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))[0]
        raise CheckpointError(f"{NAME}: {odd!r} is {found.get(odd, 'missing')}, expected {expected.get(odd, 'no such tensor')}")
    if not all(tensor.is_floating_point() and tensor.isfinite().all() for tensor in tensors.values()):
        raise CheckpointError(f"{NAME}: holds something that is not a finite number")
    pointer.load_state_dict(tensors)
    return pointer.eval().requires_grad_(False)
