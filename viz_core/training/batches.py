"""Batches of about equally many tokens, made of sentences of about equal length on both sides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from viz_core.config import BOS_ID, EOS_ID
from viz_core.model.masks import pad
from viz_core.training.pairs import IdPair


@dataclass(frozen=True)
class Batch:
    """Padded ids of one step's sentences: source with ⟨/s⟩, (B, S), what the decoder reads, ⟨s⟩ first, and should predict, (B, T)
    each.
    """

    source: Tensor
    read: Tensor
    predict: Tensor

    def to(self, device: torch.device) -> Batch:
        return Batch(self.source.to(device), self.read.to(device), self.predict.to(device))


def make_batch(pairs: Sequence[IdPair]) -> Batch:
    return Batch(
        source=pad([[*source, EOS_ID] for source, _ in pairs]),
        read=pad([[BOS_ID, *target] for _, target in pairs]),
        predict=pad([[*target, EOS_ID] for _, target in pairs]),
    )


def plan_epoch(lengths: Sequence[tuple[int, int]], tokens: int, seed: int, slack: int = 1) -> list[list[int]]:
    """Indices of the pairs in each batch, in order, for one epoch.

    Sorting by both sides leaves almost no padding, which on a CPU is half the time.

    Args:
        lengths: source and target length of each pair.
        tokens: the most positions, padding included, on the longer side of a batch.
        slack: how many positions shorter than the longest a sentence of the batch may be.
    """
    draw = random.Random(seed)
    order = list(range(len(lengths)))
    draw.shuffle(order)  # so that pairs of equal length meet others in each epoch
    order.sort(key=lambda i: (lengths[i][1] // (slack + 1), lengths[i][0]))
    plan: list[list[int]] = []
    batch: list[int] = []
    bucket, shortest = -1, 0
    for i in order:
        source, target = lengths[i]
        longest = max(source, (bucket + 1) * (slack + 1)) + 1
        fits = target // (slack + 1) == bucket and source - shortest <= slack and (len(batch) + 1) * longest <= tokens
        if not fits:
            batch = []
            plan.append(batch)
            bucket, shortest = target // (slack + 1), source
        batch.append(i)
    draw.shuffle(plan)
    return plan
