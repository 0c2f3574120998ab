"""Non-autoregressive decoding with a mask-predict model, or with a causal decoder that was not trained for it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from viz_core.analysis.search import decoder_arguments, editor
from viz_core.checkpoint import Checkpoint
from viz_core.config import MASK_ID
from viz_core.decoding import greedy_steps, translate
from viz_core.decoding.non_autoregressive import Iteration, fixed_point_steps, likely_lengths, mask_predict_steps
from viz_core.decoding.translate import LENGTHS
from viz_core.explain import Explanation
from viz_core.progress import Progress, counted
from viz_core.trace import Array

ROUNDS = 5
"""How often a time is measured; the shortest counts."""
ROWS = 16
"""How many sentences are decoded together."""
TOP = 3
"""How many tokens of each position are shown."""


@dataclass(frozen=True)
class PredictedPass:
    """The sentence after one pass.

    Attributes:
        ids: the token at each of N positions.
        probabilities: each token's probability in the pass that predicted it, (N,).
        hidden: which positions were masked and then predicted by this pass, (N,); without masks, all positions from the first one
            that differs from greedy decoding.
    """

    ids: tuple[int, ...]
    probabilities: tuple[float, ...]
    hidden: tuple[bool, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(np.log(self.probabilities)))


@dataclass(frozen=True, eq=False)
class Prediction:
    """A sentence predicted in parallel, after each pass.

    Attributes:
        first: log-probabilities in the first pass, in which no position sees the others' tokens, (N, V).
        chance: the model's probability of this length; None if the length was given.
    """

    passes: tuple[PredictedPass, ...]
    first: Array
    chance: float | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        return self.passes[-1].ids


@dataclass(frozen=True)
class RepetitionRisk:
    """The probability that two neighbouring positions get the same token.

    Attributes:
        token: the id.
        first, second: its probability at either position.
    """

    token: int
    first: float
    second: float

    @property
    def both(self) -> float:
        """P(both get it): the product, because positions predicted in parallel are independent."""
        return self.first * self.second


def source_ids(masked: Checkpoint, text: str) -> list[int]:
    """The source tokens of a text, cut off at the number of positions that the model has."""
    return masked.config.framed(masked.encode(text, "source").ids[: masked.config.longest_source])


def mask_predict_all_lengths(masked: Checkpoint, text: str, iterations: int, length: int | None) -> tuple[Prediction, ...]:
    """Mask-predict for each of the most probable lengths, or for the given one; the best mean ln p first."""
    model = masked.model
    memory, memory_mask = encoded(masked, source_ids(masked, text))
    if length is None:
        lengths, log_probs = likely_lengths(model, memory, memory_mask, min(LENGTHS, masked.config.max_len - 1))
        tried = list(zip(lengths[0].tolist(), log_probs[0].exp().tolist(), strict=True))
    else:
        tried = [(min(max(length, 1), masked.config.max_len - 1), None)]
    predictions = []
    for size, chance in tried:
        steps = list(mask_predict_steps(model, memory, memory_mask, [size], iterations))
        predictions.append(Prediction(tuple(map(_pass, steps)), steps[0].log_probs.numpy(), chance))
    return tuple(sorted(predictions, key=lambda prediction: -prediction.passes[-1].mean))


@torch.inference_mode()
def next_given_others(masked: Checkpoint, text: str, ids: Sequence[int], tokens: Sequence[int]) -> Array:
    """Log-probabilities behind each position but the last, when it has the given token and all others are known, (N − 1, V)."""
    memory, memory_mask = encoded(masked, source_ids(masked, text))
    places = torch.arange(len(tokens))
    read = torch.tensor(ids).repeat(len(tokens), 1)
    read[places, places], read[places, places + 1] = torch.tensor(tokens), MASK_ID
    rows = zip(places.split(ROWS), read.split(ROWS), strict=True)
    states = [masked.model.decode(some, memory.expand(len(at), -1, -1), memory_mask)[range(len(at)), at + 1] for at, some in rows]
    log_probs: Array = masked.model.generator(torch.cat(states)).numpy()
    return log_probs


@torch.inference_mode()
def fixed_point_prediction(checkpoint: Checkpoint, explanation: Explanation, most: int) -> tuple[Prediction, tuple[int, ...]]:
    """The causal decoder, as trained or edited, fed with its own output for all positions in parallel, again and again.

    Returns:
        Its predictions at as many positions as greedy decoding has steps, and greedy's tokens including the closing ⟨/s⟩.
    """
    arguments, edited = decoder_arguments(checkpoint, explanation), editor(checkpoint, explanation)
    greedy = tuple(int(step.ids[0]) for step in greedy_steps(**arguments, **edited))
    tap, length = edited["tap"], len(greedy)
    memory, memory_mask = checkpoint.model.encode(arguments["source"], tap)
    passes = []
    steps = [log_probs.numpy() for log_probs in fixed_point_steps(checkpoint.model, memory, memory_mask, length, most, tap)]
    for log_probs in steps:
        ids = tuple(log_probs.argmax(-1).tolist())
        same = agreeing(ids, greedy)
        passes.append(PredictedPass(ids, tuple(np.exp(log_probs.max(-1)).tolist()), tuple(i >= same for i in range(length))))
    return Prediction(tuple(passes), steps[0]), greedy


@torch.inference_mode()
def encoded(masked: Checkpoint, ids: Sequence[int]) -> tuple[Tensor, Tensor]:
    """The memory of one sentence, and its mask."""
    memory, memory_mask = masked.model.encode(torch.tensor([ids]))
    return memory, memory_mask


def agreeing(ids: Sequence[int], others: Sequence[int]) -> int:
    """The number of equal tokens before the first difference."""
    return next((i for i, (one, other) in enumerate(zip(ids, others, strict=True)) if one != other), len(ids))


def most_likely_repetition(first: Array) -> int:
    """The position, from 0, that is most likely to get the same token as the next position."""
    return int((first[:-1] + first[1:]).max(-1).argmax())


def repetition_risk(first: Array, place: int) -> RepetitionRisk:
    """The token that this position and the next are most likely to share, before either sees the other's."""
    token = int((first[place] + first[place + 1]).argmax())
    return RepetitionRisk(token, float(np.exp(first[place, token])), float(np.exp(first[place + 1, token])))


def top_tokens(token: int, series: Sequence[Array]) -> list[int]:
    """The token, and the most probable tokens of each distribution, ordered by the first distribution."""
    ids = {token, *(int(i) for values in series for i in np.argsort(-values)[:TOP])}
    return sorted(ids, key=lambda i: -series[0][i])


def _pass(step: Iteration) -> PredictedPass:
    return PredictedPass(tuple(step.ids[0].tolist()), tuple(step.scores[0].exp().tolist()), tuple(step.hidden[0].tolist()))


def greedy_translation(checkpoint: Checkpoint, text: str) -> str:
    """The translation by a checkpoint that writes token by token."""
    return translate(checkpoint, [text])[0]


def seconds(
    masked: Checkpoint, beside: Checkpoint, text: str, iterations: int, length: int, progress: Progress | None = None
) -> tuple[float, float]:
    """How long mask-predict with this length takes, and greedy decoding with the other checkpoint: the shortest of ROUNDS times."""

    def timed(work: Callable[[], object]) -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    decodings: tuple[Callable[[], object], ...] = (
        lambda: mask_predict_all_lengths(masked, text, iterations, length),
        lambda: greedy_translation(beside, text),
    )
    # alternating, so that other load on the machine affects both
    rounds = [[timed(decoding) for decoding in decodings] for _ in counted(range(ROUNDS), progress)]
    own, theirs = (min(times) for times in zip(*rounds, strict=True))
    return own, theirs
