"""Greedy decoding with a pointer-generator: at every step the most probable token of vocabulary and copy together.

A trained one is stored as copy_gate.safetensors beside its model's weights; every field is checked when read. Its header has
`format`, `version`, `sha256` of the model.safetensors that it belongs to, and `settings`, JSON: how it was trained.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.decoding.greedy import FREE, best_steps, tokens_of
from viz_core.decoding.hypothesis import reader
from viz_core.errors import CheckpointError
from viz_core.model import Transformer
from viz_core.model.pointer import PointerGenerator, PointerInputs, Pointing
from viz_core.taps import Edit, Editor, Tap

NEEDED = ("encoder.memory", "decoder.states", "target.input")
CROSS = "cross_attn.weights"


class Latest(Tap):
    """Tap that keeps the newest inputs of a pointer."""

    def __init__(self, tensors: dict[str, Tensor] | None = None, prefix: str = "") -> None:
        self._tensors: dict[str, Tensor] = {} if tensors is None else tensors
        self._prefix = prefix

    def __call__(self, site: str, value: Tensor) -> Tensor:
        name = self._prefix + site
        if name in NEEDED or name.endswith(CROSS):
            self._tensors[name] = value
        return value

    def at(self, prefix: str) -> Latest:
        return Latest(self._tensors, f"{self._prefix}{prefix}.")

    def pointer_inputs(self, source: Tensor, read: Tensor) -> PointerInputs:
        """The inputs at the newest T positions; source ids (B, S), read ids (B, T)."""
        newest, memory = -read.size(1), self._tensors["encoder.memory"]
        layers = sum(name.endswith(CROSS) for name in self._tensors)
        weights = [self._tensors[f"decoder.{layer}.{CROSS}"][:, :, newest:] for layer in range(layers)]
        states, inputs = (self._tensors[name][:, newest:] for name in NEEDED[1:])
        return PointerInputs(torch.cat(weights, dim=1), memory, states, inputs, source, read)


@dataclass(frozen=True, eq=False)
class CopyStep:
    """What one step computed for each sentence of the batch.

    Attributes:
        ids: the chosen token, (B,); padding for a sentence that has ended.
        log_vocab: ln P_vocab of the model alone, (B, V).   log_probs: ln P, the mixture, (B, V).   pointing: with T = 1.
    """

    ids: Tensor
    log_vocab: Tensor
    log_probs: Tensor
    pointing: Pointing


@torch.inference_mode()
def copy_steps(
    model: Transformer,
    pointer: PointerGenerator,
    source: Tensor,
    max_steps: int,
    edits: Mapping[str, Edit] | None = None,
    whole: bool = False,
    forced: Mapping[int, int] = FREE,
) -> Iterator[CopyStep]:
    """`greedy_steps` with a pointer, which sees the edited values."""
    room, latest = min(max_steps, model.config.max_len), Latest()
    read = reader(model, source, room, Editor(edits, latest) if edits else latest, whole)
    log_vocab: Tensor
    pointing: Pointing

    def answer(ids: Tensor) -> Tensor:
        nonlocal log_vocab, pointing
        log_vocab = read(ids).log_softmax(-1)
        pointing = pointer(latest.pointer_inputs(source, ids[:, None]))
        return pointing.log_mixture(log_vocab[:, None], source)[:, 0]

    for step in best_steps(answer, model.config, source, room, forced):
        yield CopyStep(step.ids, log_vocab, step.logits, pointing)


def copy_greedy(model: Transformer, pointer: PointerGenerator, source: Tensor, max_steps: int) -> list[list[int]]:
    """The tokens of each sentence's translation, without special ones; the counterpart of `greedy`."""
    return tokens_of(copy_steps(model, pointer, source, max_steps), model.config)


NAME = "copy_gate.safetensors"
FORMAT, VERSION = "viz_core copy gate", "1"
MAX_BYTES = 1_000_000  # far beyond what any checkpoint of ours needs


def packed(pointer: PointerGenerator, digest: str, settings: Mapping[str, Any]) -> bytes:
    """Content of the file; digest: SHA-256 of the model.safetensors that it was trained on."""
    tensors = {name: parameter.detach().cpu().contiguous() for name, parameter in pointer.named_parameters()}
    header = {"format": FORMAT, "version": VERSION, "sha256": digest, "settings": json.dumps(dict(settings))}
    return safetensors.torch.save(tensors, metadata=header)


def pairs_behind(folder: Path, checkpoint: Checkpoint) -> int:
    """How many pairs, at most, the gate stored for these weights was trained on; 0 if no gate can be read."""
    try:
        with safe_open(folder / NAME, framework="pt") as file:
            header = file.metadata() or {}
        settings = json.loads(header["settings"]) if header["sha256"] == checkpoint.digest else {"pairs": 0}
        return int(settings["pairs"] if "pairs" in settings else settings["named"] + settings["plain"])
    except (SafetensorError, OSError, KeyError, TypeError, ValueError):
        return 0


def read(folder: Path, checkpoint: Checkpoint) -> PointerGenerator | None:
    """The pointer stored beside a checkpoint, ready for use; None if there is none.

    Raises:
        CheckpointError: it is damaged, not ours, or belongs to other weights; the message says which.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CheckpointError(f"{NAME}: {path.stat().st_size:,} bytes, more than is read")
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
    shapes = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    if shapes != expected:
        odd = sorted(name for name in expected.keys() | shapes.keys() if expected.get(name) != shapes.get(name))[0]
        raise CheckpointError(f"{NAME}: {odd!r} is {shapes.get(odd, 'missing')}, expected {expected.get(odd, 'no such tensor')}")
    if not all(tensor.is_floating_point() and tensor.isfinite().all() for tensor in tensors.values()):
        raise CheckpointError(f"{NAME}: holds something that is not a finite number")
    pointer.load_state_dict(tensors)
    return pointer.eval().requires_grad_(False)
