"""Greedy decoding: at every step the most probable token."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.decoding.hypothesis import allowed, reader, with_first
from viz_core.model import Transformer
from viz_core.taps import OFF, Tap

FREE: Mapping[int, int] = MappingProxyType({})


class Chosen(Protocol):
    """A step of any strategy: the chosen token of each row, (B,)."""

    @property
    def ids(self) -> Tensor: ...


@dataclass(frozen=True, eq=False)
class Step:
    """Logits of one step, (B, V), and the chosen token of each sentence, (B,); padding for one that has ended."""

    ids: Tensor
    logits: Tensor


@torch.inference_mode()
def greedy_steps(
    model: Transformer,
    source: Tensor,
    max_steps: int,
    tap: Tap = OFF,
    forced: Mapping[int, int] = FREE,
    whole: bool = False,
) -> Iterator[Step]:
    """Decodes until every sentence has ended or max_steps are done.

    Args:
        source: source ids ending in ⟨/s⟩, padded, (B, S).
        tap: sees the pass of each step, so an Editor acts in every one; a Recorder would meet its sites twice.
        forced: step, from 0 → the token written there, whatever the model would choose.
        whole: no cache; each step reads everything again, as edits require that let later tokens change earlier rows.
    """
    room = min(max_steps, model.config.max_len)
    yield from best_steps(reader(model, source, room, tap, whole), model.config, source, room, forced)


def best_steps(
    answer: Callable[[Tensor], Tensor], config: ModelConfig, source: Tensor, room: int, forced: Mapping[int, int] = FREE
) -> Iterator[Step]:
    """The most probable token at each of at most `room` steps; answer: the newest token of each row, (B,) → logits, (B, V)."""
    ids = torch.full((source.size(0),), config.bos_id, device=source.device)
    ended = torch.zeros_like(ids, dtype=torch.bool)
    forced = with_first(forced, config)
    for step in range(room):
        logits = answer(ids)  # (B, V)
        ids = torch.full_like(ids, forced[step]) if step in forced else allowed(logits, config).argmax(-1)
        ids = ids.masked_fill(ended, config.pad_id)
        yield Step(ids, logits)
        ended |= (ids == config.eos_id) | (ids == config.pad_id)
        if ended.all():
            return


def greedy(model: Transformer, source: Tensor, max_steps: int, tap: Tap = OFF) -> list[list[int]]:
    """The tokens of each sentence's translation, without special ones; cut after max_steps."""
    return tokens_of(greedy_steps(model, source, max_steps, tap), model.config)


def tokens_of(steps: Iterable[Chosen], config: ModelConfig) -> list[list[int]]:
    """The chosen tokens of each row, without special ones."""
    rows = torch.stack([step.ids for step in steps], dim=1).tolist()
    return [[i for i in row if i not in config.ends] for row in rows]
