"""Scheduled sampling (Bengio et al. 2015): in training the decoder reads some of its own tokens instead of the correct ones.

A Transformer reads all positions in one pass, so a first pass predicts them, and a second one reads the mixture (Mihaylova &
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
RISE = 500  # steps in which the linear schedule would come from none to all
SLOWNESS = 60  # k of the inverse sigmoid: half of the words are its own at step k · ln k, which is 246


def sampling_share(decay: Decay, step: int, most: float) -> float:
    """1 − ε_i, where ε_i is the probability with which the right token is read at step i, from 1 (Bengio et al. 2015, §2.4), at
    most `most`.

    linear: ε_i = 1 − i / RISE.   sigmoid, the paper's "inverse sigmoid decay": ε_i = k / (k + exp(i / k)).
    """
    if decay == "off":
        return 0.0
    if decay == "constant":
        return most
    if decay == "linear":
        return min(most, step / RISE)
    return min(most, 1.0 / (1.0 + SLOWNESS * math.exp(-min(step / SLOWNESS, 700.0))))  # the same, and no overflow


def mix_inputs(read: Tensor, own: Tensor, share: float, drawn: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder's input in the second pass.

    Args:
        read: the right tokens, ⟨s⟩ first, padded, (B, T).
        own: the most probable token after each position in the first pass, (B, T).
        drawn: uniform in 0 … 1, (B, T): below the share its own token is read, so a larger share keeps every own token and adds
            some.

    Returns:
        The mixture, and where it holds the model's own tokens; both (B, T). ⟨s⟩ and padding stay.
    """
    moved = own.roll(1, dims=1)  # what was predicted at t − 1 is read at t
    taken = (drawn < share) & (read != PAD_ID)
    taken[:, 0] = False
    return torch.where(taken, moved, read), taken


@dataclass(frozen=True, eq=False)
class SecondReading:
    """The ids that the decoder reads in the second pass, ⟨s⟩ first, where they are its own, and the draws in 0 … 1, (T,) each."""

    ids: tuple[int, ...]
    own: tuple[bool, ...]
    draws: tuple[float, ...]


def second_reading(read: Sequence[int], log_probs: Array, share: float, seed: int) -> SecondReading:
    """The mixture for one sentence: the right tokens, ⟨s⟩ first, and log_probs of the first pass over them, (T, V)."""
    drawn = torch.rand((1, len(read)), generator=torch.Generator().manual_seed(seed))
    ids, own = mix_inputs(torch.tensor([read]), torch.from_numpy(log_probs.argmax(-1))[None], share, drawn)
    return SecondReading(tuple(ids[0].tolist()), tuple(own[0].tolist()), tuple(drawn[0].tolist()))


@torch.inference_mode()
def token_accuracy(model: Transformer, batch: Batch, written: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Accuracy per token, ⟨/s⟩ included, with teacher forcing and in free-running output; the difference is exposure bias.

    Args:
        written: greedily, of each sentence of the batch, without special tokens.
    """
    eos, padding = model.config.eos_id, model.config.pad_id
    real = batch.predict != padding  # (B, T)
    forced = model.generator.logits(model.states(batch.source, batch.read)).argmax(-1)  # (B, T)
    width = real.size(1)
    free = pad([[*row, eos, *[padding] * width][:width] for row in written])  # (B, T)
    return tuple(float((ids == batch.predict)[real].float().mean()) for ids in (forced, free))  # type: ignore[return-value]
