"""Scheduled sampling (Bengio et al. 2015): in training the decoder reads some of its own tokens instead of the correct ones.

A Transformer reads all positions in one pass, so that its own words have to be known before: a first pass gives them, a second one
reads the mixture (Mihaylova & Martins 2019).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor

from viz_core.config import EOS_ID, PAD_ID
from viz_core.model import Transformer
from viz_core.model.masks import pad
from viz_core.trace import Array
from viz_core.training.batches import Batch

Decay = Literal["off", "constant", "linear", "sigmoid"]
DECAYS: tuple[Decay, ...] = get_args(Decay)
RISE = 500  # steps in which the linear schedule would come from none to all
SLOWNESS = 60  # k of the inverse sigmoid: half of the words are its own at step k · ln k, which is 246


def sampling_share(decay: Decay, step: int, most: float) -> float:
    """1 − ε_i, where ε_i is the probability with which the right word is read at step i (Bengio et al. 2015, §2.4).

    linear: ε_i = 1 − i / RISE.   sigmoid, the paper's "inverse sigmoid decay": ε_i = k / (k + exp(i / k)).

    Args:
        step: i, from 1.
        most: the share never rises above it; the constant schedule has it from the first step.
    """
    if decay == "off":
        return 0.0
    if decay == "constant":
        return most
    if decay == "linear":
        return min(most, step / RISE)
    return min(most, 1.0 / (1.0 + SLOWNESS * math.exp(-min(step / SLOWNESS, 700.0))))  # the same, and no overflow


def random_draws(size: tuple[int, ...], generator: torch.Generator) -> Tensor:
    """Uniform random numbers in 0 … 1, one per position: below the share the decoder reads its own token."""
    return torch.rand(size, generator=generator)


def mix_inputs(read: Tensor, own: Tensor, share: float, drawn: Tensor) -> tuple[Tensor, Tensor]:
    """What the decoder reads in the second pass.

    Args:
        read: the right tokens, ⟨s⟩ first, padded, (B, T).
        own: what it held most probable after each position in the first pass, (B, T): the last has no place to be read.
        share: of its own words, 0 … 1.
        drawn: what `random_draws` gave, (B, T). The same draws with a larger share keep every own word and add some.

    Returns:
        The mixture, and where it holds the model's own words; both (B, T). ⟨s⟩ and padding stay.
    """
    moved = own.roll(1, dims=1)  # what was predicted at t − 1 is read at t
    taken = (drawn < share) & (read != PAD_ID)
    taken[:, 0] = False
    return torch.where(taken, moved, read), taken


@dataclass(frozen=True, eq=False)
class SecondReading:
    """What the decoder reads of one sentence in the second pass.

    Attributes:
        ids: T of them, ⟨s⟩ first.
        own: where it reads a word of its own, (T,).
        draws: in 0 … 1, (T,).
    """

    ids: tuple[int, ...]
    own: tuple[bool, ...]
    draws: tuple[float, ...]


def second_reading(read: Sequence[int], log_probs: Array, share: float, seed: int) -> SecondReading:
    """The mixture for one sentence, as `mix_inputs` makes it for a batch.

    Args:
        read: the right tokens, ⟨s⟩ first, T of them.
        log_probs: of the first pass, which read these, (T, V).
    """
    drawn = random_draws((1, len(read)), torch.Generator().manual_seed(seed))
    ids, own = mix_inputs(torch.tensor([read]), torch.from_numpy(log_probs.argmax(-1))[None], share, drawn)
    return SecondReading(tuple(ids[0].tolist()), tuple(own[0].tolist()), tuple(drawn[0].tolist()))


@torch.inference_mode()
def token_accuracy(model: Transformer, batch: Batch, written: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Accuracy per token, ⟨/s⟩ included: with teacher forcing, and in free-running output.

    Exposure bias, measured. Whole sentences cannot tell: greedy decoding writes a sentence right exactly if each of its tokens is
    the most probable one with the right words to read.

    Args:
        written: greedily, of each sentence of the batch, without special tokens.
    """
    real = batch.predict != PAD_ID  # (B, T)
    forced = model.generator.logits(model.states(batch.source, batch.read)).argmax(-1)  # (B, T)
    width = real.size(1)
    free = pad([[*row, EOS_ID, *[PAD_ID] * width][:width] for row in written])  # (B, T)
    return tuple(float((ids == batch.predict)[real].float().mean()) for ids in (forced, free))  # type: ignore[return-value]
