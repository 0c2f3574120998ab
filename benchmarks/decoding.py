"""Decoding on the key/value cache, beside rerunning the decoder over all tokens at each step and beside MarianMT's generate."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from benchmarks.measure import Row, side_by_side, threads
from benchmarks.peers import Marian
from benchmarks.subject import some_ids
from viz_core.config import BOS_ID, EOS_ID
from viz_core.decoding import beam_search, greedy_steps
from viz_core.model import Transformer
from viz_core.model.embedding import causal_mask

BEAM = 5
AIM = 1 / 3  # at least three times as fast as MarianMT


def cached(model: Transformer, source: Tensor, steps: int) -> list[int]:
    """The tokens that the program's own decoding writes."""
    return [int(step.ids[0]) for step in greedy_steps(model, source, steps)]


def searched(model: Transformer, source: Tensor, steps: int) -> list[int]:
    """The tokens that the program's own beam search writes, to the last step."""
    (best,) = beam_search(model, source, BEAM, steps, n_best=1, early_stop=False)[0]
    return list(best.ids)


@torch.inference_mode()
def rerun(model: Transformer, source: Tensor, steps: int) -> list[int]:
    """The same tokens, each by a pass of the decoder over everything before it."""
    memory, memory_mask = model.encode(source)
    ids = torch.full((1, 1), BOS_ID)
    for _ in range(steps):
        states = model.decoder(model.target_embedding(ids), memory, causal_mask(ids.size(1)), memory_mask)
        ids = torch.cat([ids, model.generator.logits(states[:, -1:]).argmax(-1)], dim=1)
        if ids[0, -1] == EOS_ID:
            break
    return ids[0, 1:].tolist()


def rows(model: Transformer, lengths: tuple[int, ...], thread_counts: tuple[int, ...], rounds: int) -> Iterator[Row]:
    """Three rows for each number of tokens and of threads. The model must not end before: an untrained one goes on and on."""
    marian = Marian(model.config, attention="sdpa")
    for steps in lengths:
        source = some_ids(steps, model.config.source_vocab)
        greedily, widely = partial(cached, model, source, steps), partial(searched, model, source, steps)
        their = {beams: partial(marian.write, source, steps, beams) for beams in (1, BEAM)}
        for count in thread_counts:
            with threads(count):
                if {len(way()) for way in (greedily, widely, *their.values())} != {steps}:
                    raise RuntimeError(f"a model stopped before {steps} tokens")
                anew = side_by_side(greedily, partial(rerun, model, source, steps), rounds)
                greedy = side_by_side(greedily, their[1], rounds)
                beam = side_by_side(widely, their[BEAM], rounds)
            yield Row(f"greedy decoding, cached / rerun, {steps} tokens", *anew, threads=count)
            yield Row(f"greedy decoding / MarianMT.generate, {steps} tokens", *greedy, aim=AIM, threads=count)
            yield Row(f"beam search of {BEAM} / MarianMT.generate, {steps} tokens", *beam, aim=AIM, threads=count)
