"""Greedy decoding with a pointer-generator: at every step the most probable token of vocabulary and copy together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from viz_core.config import EOS_ID, PAD_ID
from viz_core.decoding.greedy import FREE, best_steps
from viz_core.decoding.reading import reader
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

    def seen(self, source: Tensor, read: Tensor) -> PointerInputs:
        """Of the newest positions, as many as read has: source ids (B, S), read ids (B, T)."""
        newest, memory = -read.size(1), self._tensors["encoder.memory"]
        layers = sum(name.endswith(CROSS) for name in self._tensors)
        weights = [self._tensors[f"decoder.{layer}.{CROSS}"][:, :, newest:] for layer in range(layers)]
        states, inputs = (self._tensors[name][:, newest:] for name in NEEDED[1:])
        return PointerInputs(torch.cat(weights, dim=1), memory, states, inputs, source, read)


@dataclass(frozen=True, eq=False)
class CopyStep:
    """What one step computed for each sentence of the batch.

    Attributes:
        ids: the chosen token, (B,); PAD_ID for a sentence that has ended.
        log_vocab: ln P_vocab, what the model alone would say, (B, V).
        log_probs: ln P, the mixture, (B, V).
        pointing: with T = 1.
    """

    ids: Tensor
    log_vocab: Tensor
    log_probs: Tensor
    pointing: Pointing


class CopyReader:
    """The decoder as a search sees it, with its pointer: what it answers is ln P, the mixture. Arguments as in `copy_steps`."""

    def __init__(
        self, model: Transformer, pointer: PointerGenerator, source: Tensor, room: int, edits: Mapping[str, Edit], whole: bool
    ) -> None:
        self._latest, self._pointer, self._source = Latest(), pointer, source
        tap = Editor(edits, self._latest) if edits else self._latest
        self._answer = reader(model, source, room, tap, whole)
        self.log_vocab: Tensor
        self.pointing: Pointing

    def __call__(self, ids: Tensor) -> Tensor:
        """The newest token of each row, (B,) → ln P of what follows, (B, V)."""
        self.log_vocab = self._answer(ids).log_softmax(-1)
        self.pointing = self._pointer(self._latest.seen(self._source, ids[:, None]))
        return self.pointing.log_mixture(self.log_vocab[:, None], self._source)[:, 0]


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
    """As `greedy_steps`, with the pointer.

    Args:
        source: source ids ending in ⟨/s⟩, padded, (B, S).
        edits: full site name → function of the passing tensor; the pointer sees what they leave.
        whole, forced: as in `greedy_steps`.
    """
    room = min(max_steps, model.config.max_len)
    read = CopyReader(model, pointer, source, room, edits or {}, whole)
    for step in best_steps(read, source.size(0), room, source.device, forced):
        yield CopyStep(step.ids, read.log_vocab, step.logits, read.pointing)


def copy_greedy(model: Transformer, pointer: PointerGenerator, source: Tensor, max_steps: int) -> list[list[int]]:
    """The tokens of each sentence's translation, without special ones; as `greedy`."""
    columns = [step.ids for step in copy_steps(model, pointer, source, max_steps)]
    rows = torch.stack(columns, dim=1).tolist()
    return [[i for i in row if i not in (EOS_ID, PAD_ID)] for row in rows]
