"""Scheduled sampling (Bengio et al. 2015): in training, the decoder reads some of its own tokens instead of the correct ones.

A Transformer reads all positions in one pass, so a first pass predicts them, and a second pass reads the mixture (Mihaylova &
Martins 2019).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor

from viz_core.config import PAD_ID
from viz_core.model import Transformer
from viz_core.model.embedding import pad
from viz_core.trace import Array
from viz_core.training.pairs import Batch

Decay = Literal["off", "constant", "linear", "sigmoid"]
DECAYS: tuple[Decay, ...] = get_args(Decay)
RISE = 500  # steps in which the linear schedule would rise from 0 to 1
SLOWNESS = 60  # k of the inverse sigmoid: half of the tokens are the model's own at step k · ln k, which is 246


def sampling_share(decay: Decay, step: int, most: float) -> float:
    """1 − ε_i, at most `most`, with ε_i the probability of reading the right token at step i, from 1 (Bengio et al. 2015, §2.4).

    linear: ε_i = 1 − i / RISE.   sigmoid, the paper's "inverse sigmoid decay": ε_i = k / (k + exp(i / k)).
    """
    if decay == "off":
        return 0.0
    if decay == "constant":
        return most
    if decay == "linear":
        return min(most, step / RISE)
    return min(most, 1.0 / (1.0 + SLOWNESS * math.exp(-min(step / SLOWNESS, 700.0))))  # the same without overflow


def mix_inputs(read: Tensor, own: Tensor, share: float, drawn: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder's input in the second pass.

    Args:
        read: the right tokens, ⟨s⟩ first, padded, (B, T).
        own: the most probable token after each position in the first pass, (B, T).
        drawn: uniform in 0 … 1, (B, T). Below the share, the own token is read, so a larger share keeps every own token and adds
            some.

    Returns:
        The mixture, and True where it holds the model's own tokens, (B, T) each. ⟨s⟩ and padding stay.
    """
    moved = own.roll(1, dims=1)  # the token predicted at t − 1 is read at t
    taken = (drawn < share) & (read != PAD_ID)
    taken[:, 0] = False
    return torch.where(taken, moved, read), taken


@dataclass(frozen=True, eq=False)
class SecondReading:
    """The decoder's input in the second pass, ⟨s⟩ first, True where it is the model's own, and the draws in 0 … 1, (T,) each."""

    ids: tuple[int, ...]
    own: tuple[bool, ...]
    draws: tuple[float, ...]


def second_reading(read: Sequence[int], log_probs: Array, share: float, seed: int) -> SecondReading:
    """The mixture for one sentence. read: the right tokens, ⟨s⟩ first; log_probs: of the first pass over them, (T, V)."""
    drawn = torch.rand((1, len(read)), generator=torch.Generator().manual_seed(seed))
    ids, own = mix_inputs(torch.tensor([read]), torch.from_numpy(log_probs.argmax(-1))[None], share, drawn)
    return SecondReading(tuple(ids[0].tolist()), tuple(own[0].tolist()), tuple(drawn[0].tolist()))


@torch.inference_mode()
def token_accuracy(model: Transformer, batch: Batch, written: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Accuracy per token, ⟨/s⟩ included, with teacher forcing and in free-running output; the difference is exposure bias.

    Args:
        written: the greedy output for each sentence, without special tokens.
    """
    eos, padding = model.config.eos_id, model.config.pad_id
    real = batch.predict != padding  # (B, T)
    forced = model.generator.logits(model.states(batch.source, batch.read)).argmax(-1)  # (B, T)
    width = real.size(1)
    free = pad([[*row, eos, *[padding] * width][:width] for row in written])  # (B, T)
    return tuple(float((ids == batch.predict)[real].float().mean()) for ids in (forced, free))  # type: ignore[return-value]
