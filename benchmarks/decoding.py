"""Greedy decoding on the key/value cache beside rerunning the decoder over all pieces at each step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from benchmarks.measure import Row, side_by_side, threads
from benchmarks.subject import some_ids
from viz_core.config import BOS_ID, EOS_ID
from viz_core.decoding import greedy_steps
from viz_core.model import Transformer
from viz_core.model.masks import causal_mask


def cached(model: Transformer, source: Tensor, steps: int) -> list[int]:
    """The pieces that the program's own decoding writes."""
    return [int(step.ids[0]) for step in greedy_steps(model, source, steps)]


@torch.inference_mode()
def rerun(model: Transformer, source: Tensor, steps: int) -> list[int]:
    """The same pieces, each by a pass of the decoder over everything before it."""
    memory, memory_mask = model.encode(source)
    ids = torch.full((1, 1), BOS_ID)
    for _ in range(steps):
        states = model.decoder(model.target_embedding(ids), memory, causal_mask(ids.size(1)), memory_mask)
        ids = torch.cat([ids, model.generator.logits(states[:, -1:]).argmax(-1)], dim=1)
        if ids[0, -1] == EOS_ID:
            break
    return ids[0, 1:].tolist()


def rows(model: Transformer, lengths: tuple[int, ...], thread_counts: tuple[int, ...], rounds: int) -> Iterator[Row]:
    """One row for each number of pieces and of threads. The model must not end before: an untrained one goes on and on."""
    for steps in lengths:
        source = some_ids(steps, model.config.source_vocab)
        for count in thread_counts:
            with threads(count):
                if len(cached(model, source, steps)) < steps:
                    raise RuntimeError(f"the model stopped before {steps} pieces")
                times = side_by_side(partial(cached, model, source, steps), partial(rerun, model, source, steps), rounds)
            yield Row(f"greedy decoding, cached / rerun, {steps} pieces", *times, threads=count)
