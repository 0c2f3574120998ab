"""Decoding of all tokens at once, in a few passes.

Fixed-point iteration asks the causal decoder for all positions again and again (Jacobi iteration, Song et al. 2021, Santilli et al.
2023). In the first pass every position reads ⟨s⟩, then what the pass before wrote to its left. A position whose left context is
right is right in the next pass: after pass t at least the first t tokens are those of greedy decoding, after N passes all are.

Mask-predict writes all tokens at once with a masked decoder, then the least certain ones again (Ghazvininejad et al. 2019,
arXiv:1904.09324, §3). N must be known in advance. In iteration t of T, from 0, the n = N · (T − t) / T positions
whose tokens were least probable when they were written are masked, and written again by a decoder that sees the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from viz_core.config import MASK_ID, PAD_ID
from viz_core.model import Transformer
from viz_core.taps import OFF, Tap


@torch.inference_mode()
def fixed_point_steps(
    model: Transformer, memory: Tensor, memory_mask: Tensor, length: int, most: int, tap: Tap = OFF
) -> Iterator[Tensor]:
    """Log-probabilities at each place, (N, V), of each pass, until one repeats the answer of the pass before.

    Args:
        model: with a causal decoder.
        memory, memory_mask: of one sentence, (1, S, D) and (1, 1, 1, S).
        length: N.   most: passes.   tap: sees each pass of the decoder.
    """
    read = torch.full((1, length), model.config.bos_id, device=memory.device)
    for _ in range(most):
        log_probs = model.generator(model.decode(read, memory, memory_mask, tap), tap.at("output"))[0]  # (N, V)
        yield log_probs
        after = torch.cat([read[:, :1], log_probs.argmax(-1)[None, :-1]], dim=1)  # (1, N)
        if torch.equal(after, read):
            return
        read = after


@dataclass(frozen=True, eq=False)
class Iteration:
    """What one pass did to the N places of each sentence; PAD_ID where a shorter one has ended.

    Attributes:
        hidden: the places that were masked before the pass, and written by it, (B, N).   ids: the tokens after it, (B, N).
        scores: ln p of each token in the pass that wrote it, (B, N); 0 at padding.
        log_probs: at the places that were masked, row by row, (masked, V).
    """

    hidden: Tensor
    ids: Tensor
    scores: Tensor
    log_probs: Tensor


def masked_count(length: int, iteration: int, iterations: int) -> int:
    """How many places are masked: n = N · (T − t) / T, rounded down (§3.2, eq. 3); all of them at t = 0."""
    return length * (iterations - iteration) // iterations


@torch.inference_mode()
def mask_predict_steps(
    model: Transformer, memory: Tensor, memory_mask: Tensor, lengths: Sequence[int], iterations: int
) -> Iterator[Iteration]:
    """Fills the places of each sentence, pass by pass, until no place is masked any more: at most `iterations` times.

    Args:
        model: with a masked decoder.
        memory, memory_mask: from its encoder, (B, S, D) and (B, 1, 1, S).
        lengths: N of each sentence, at least 1.
    """
    places = torch.arange(max(lengths), device=memory.device)
    empty = places >= torch.tensor(lengths, device=memory.device)[:, None]  # (B, N)
    ids = torch.full(empty.shape, MASK_ID, device=memory.device).masked_fill(empty, PAD_ID)
    scores = torch.zeros(empty.shape, device=memory.device)
    for iteration in range(iterations):
        counts = torch.tensor([[masked_count(length, iteration, iterations)] for length in lengths], device=memory.device)
        if not counts.any():
            return
        unsure = scores.masked_fill(empty, math.inf).argsort(dim=1, stable=True).argsort(dim=1)  # (B, N): 0 for the least sure
        hidden = unsure < counts
        states = model.decode(ids.masked_fill(hidden, MASK_ID), memory, memory_mask)  # (B, N, D)
        log_probs = model.generator(states[hidden])  # (masked, V)
        best, tokens = log_probs.max(-1)  # (masked,)
        ids, scores = ids.masked_scatter(hidden, tokens), scores.masked_scatter(hidden, best)
        yield Iteration(hidden, ids, scores, log_probs)


@torch.inference_mode()
def likely_lengths(model: Transformer, memory: Tensor, memory_mask: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The most probable lengths of each sentence, at least 1 token, and their log-probabilities, (B, count) each."""
    log_probs, lengths = model.lengths(memory, memory_mask)[:, 1:].topk(count, dim=-1)
    return lengths + 1, log_probs


@torch.inference_mode()
def mask_predict(model: Transformer, source: Tensor, iterations: int, candidates: int = 1) -> list[list[int]]:
    """The tokens of each sentence's translation.

    Args:
        source: source ids ending in ⟨/s⟩, padded, (B, S).
        candidates: number of most probable lengths to try; the sentence with the greatest mean score wins (§3.3).
    """
    memory, memory_mask = model.encode(source)
    lengths = likely_lengths(model, memory, memory_mask, candidates)[0].flatten()  # (B · candidates,)
    memory, memory_mask = (x.repeat_interleave(candidates, dim=0) for x in (memory, memory_mask))
    *_, last = mask_predict_steps(model, memory, memory_mask, lengths.tolist(), iterations)
    means = (last.scores.sum(1) / lengths).unflatten(0, (-1, candidates))  # (B, candidates)
    best = means.argmax(1) + torch.arange(0, len(lengths), candidates, device=source.device)  # (B,)
    return [[i for i in row if i != PAD_ID] for row in last.ids[best].tolist()]
