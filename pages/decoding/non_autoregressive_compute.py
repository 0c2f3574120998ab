"""A sentence whose tokens are all asked for at once: by a decoder that learned to fill masked places, or by one that never did."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from pages.decoding.beam_compute import editor, most_steps, steps_of
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID, MASK_ID
from viz_core.decoding import greedy_steps, translate
from viz_core.decoding.fixed_point import fixed_point_steps
from viz_core.decoding.mask_predict import Iteration, likely_lengths, mask_predict_steps
from viz_core.decoding.translate import LENGTHS
from viz_core.explain import Explanation
from viz_core.trace import Array

ROUNDS = 5
"""A time is the shortest of so many."""


@dataclass(frozen=True)
class Pass:
    """What one pass left.

    Attributes:
        ids: the token at each place, N.
        probabilities: of each token in the pass that wrote it, N.
        hidden: the places that were masked, and written by this pass, N; of a decoder that knows no masks, those from the first
            on where it does not write what greedy decoding does.
    """

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    hidden: tuple[bool, ...]

    @property
    def mean(self) -> float:
        """The mean of ln p over the places."""
        return float(np.mean(np.log(self.probabilities)))


@dataclass(frozen=True, eq=False)
class Filled:
    """A sentence after each pass.

    Attributes:
        first: log-probabilities in the first pass, when no place knew what the others get, (N, V).
        chance: how probable this length was to the model; None where it was given.
    """

    passes: tuple[Pass, ...]
    first: Array
    chance: float | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        """What stands there in the end."""
        return self.passes[-1].ids


@dataclass(frozen=True)
class Rivals:
    """Two neighbours that want the same token.

    Attributes:
        place: of the first of the two.
        token: the id.
        first, second: its probability at either place.
    """

    place: int
    token: int
    first: float
    second: float

    @property
    def both(self) -> float:
        """P(both get it): the product, for all at once they are drawn independently of each other."""
        return self.first * self.second


def source_ids(masked: Checkpoint, text: str) -> list[int]:
    """What the encoder reads of a text; as much of it as the positions reach."""
    return [*masked.tokenizer.encode(text, masked.source_language).ids[: masked.config.max_len - 1], EOS_ID]


def fill(masked: Checkpoint, text: str, iterations: int, length: int | None) -> tuple[Filled, ...]:
    """Mask-predict with each of the most probable lengths, or with the one that is given; the best mean of ln p first."""
    model = masked.model
    memory, memory_mask = encoded(masked, source_ids(masked, text))
    if length is None:
        lengths, log_probs = likely_lengths(model, memory, memory_mask, min(LENGTHS, masked.config.max_len - 1))
        tried = list(zip(lengths[0].tolist(), log_probs[0].exp().tolist(), strict=True))
    else:
        tried = [(min(max(length, 1), masked.config.max_len - 1), None)]
    found = []
    for size, chance in tried:
        steps = list(mask_predict_steps(model, memory, memory_mask, [size], iterations))
        found.append(Filled(tuple(map(_pass, steps)), steps[0].log_probs.numpy(), chance))
    return tuple(sorted(found, key=lambda each: -each.passes[-1].mean))


@torch.inference_mode()
def alone(masked: Checkpoint, text: str, ids: Sequence[int], place: int) -> Array:
    """Log-probabilities at one place while all others are known, (V,)."""
    memory, memory_mask = encoded(masked, source_ids(masked, text))
    read = torch.tensor([[MASK_ID if at == place else i for at, i in enumerate(ids)]])
    states = masked.model.decode(read, memory, memory_mask)[:, place]  # (1, D)
    found: Array = masked.model.generator(states)[0].numpy()
    return found


@torch.inference_mode()
def ask_plain(checkpoint: Checkpoint, explanation: Explanation, most: int) -> tuple[Filled, tuple[int, ...]]:
    """The causal decoder, as trained or edited, asked for all places at once, and again with what it wrote.

    Returns:
        What it writes at as many places as greedy decoding fills, and what that writes, to the closing ⟨/s⟩.
    """
    source, how = torch.tensor([explanation.source.ids]), editor(checkpoint, explanation)
    room = min(steps_of(checkpoint, explanation), most_steps(explanation))
    greedy = tuple(int(step.ids[0]) for step in greedy_steps(checkpoint.model, source, room, how["tap"], whole=how["whole"]))
    tap, length = how["tap"], len(greedy)
    memory, memory_mask = checkpoint.model.encode(source, tap)
    passes = []
    steps = [log_probs.numpy() for log_probs in fixed_point_steps(checkpoint.model, memory, memory_mask, length, most, tap)]
    for log_probs in steps:
        ids = tuple(log_probs.argmax(-1).tolist())
        same = agreeing(ids, greedy)
        passes.append(Pass(ids, tuple(np.exp(log_probs.max(-1)).tolist()), tuple(at >= same for at in range(length))))
    return Filled(tuple(passes), steps[0]), greedy


@torch.inference_mode()
def encoded(masked: Checkpoint, ids: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Memory and its mask of one sentence."""
    memory, memory_mask = masked.model.encode(torch.tensor([ids]))
    return memory, memory_mask


def agreeing(ids: Sequence[int], others: Sequence[int]) -> int:
    """How many tokens from the start on are the same."""
    return next((at for at, (one, other) in enumerate(zip(ids, others, strict=True)) if one != other), len(ids))


def repeated(ids: Sequence[int]) -> list[bool]:
    """Which places have the same token as a neighbour."""
    twins = [one == other for one, other in pairwise(ids)]
    return [left or right for left, right in zip([False, *twins], [*twins, False], strict=True)]


def likely_rivals(first: Array) -> int:
    """The place whose token is most likely to stand at the next one, too; counted from 0."""
    return int((first[:-1] + first[1:]).max(-1).argmax())


def rivals(first: Array, place: int) -> Rivals:
    """The token that this place and the next are most likely to get both, before they know of each other."""
    token = int((first[place] + first[place + 1]).argmax())
    return Rivals(place, token, float(np.exp(first[place, token])), float(np.exp(first[place + 1, token])))


def _pass(step: Iteration) -> Pass:
    return Pass(tuple(step.ids[0].tolist()), tuple(step.scores[0].exp().tolist()), tuple(step.hidden[0].tolist()))


def written_greedily(checkpoint: Checkpoint, text: str) -> str:
    """What a checkpoint that writes token by token makes of a sentence."""
    return translate(checkpoint.model, checkpoint.tokenizer, checkpoint.source_language, [text])[0]


def seconds(masked: Checkpoint, beside: Checkpoint, text: str, iterations: int, length: int) -> tuple[float, float]:
    """What mask-predict with this length takes, and what the other checkpoint takes, greedily: the shortest of a few times."""

    def timed(work: Callable[[], object]) -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    ways: tuple[Callable[[], object], ...] = (
        lambda: fill(masked, text, iterations, length),
        lambda: written_greedily(beside, text),
    )
    rounds = [[timed(way) for way in ways] for _ in range(ROUNDS)]  # in turns, so that noise of the machine meets both
    own, theirs = (min(times) for times in zip(*rounds, strict=True))
    return own, theirs
