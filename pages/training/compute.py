"""One sentence along the training of a model: what it wrote after so many steps, and how probable the right words were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import greedy_steps, max_steps
from viz_core.explain import Explanation
from viz_core.trace import Array


@dataclass(frozen=True, eq=False)
class Stop:
    """The model after so many steps of its training.

    Attributes:
        step: None at the end of the training.
        log_probs: of each right token, after the right ones before it, (T,).
        best: the ids of the tokens that it held most probable there, (T,).
        written: the ids of what it writes by itself, with the end where it comes to one.
    """

    step: int | None
    log_probs: Array
    best: tuple[int, ...]
    written: tuple[int, ...]

    @property
    def loss(self) -> float:
        """−ln p in the mean over the right tokens, the cross-entropy without smoothing."""
        return -float(self.log_probs.astype(np.float64).mean())


@torch.inference_mode()
def way(stops: Iterable[tuple[int | None, Checkpoint]], right: Explanation) -> tuple[Stop, ...]:
    """Each model of the way asked for the same sentence.

    Args:
        stops: the step, and the model after it.
        right: the sentence with the German that counts as right.
    """
    source, target = torch.tensor([right.source.ids]), torch.tensor([right.target.ids])
    wanted = [token.id for token in right.output]
    found = []
    for step, checkpoint in stops:
        log_probs = checkpoint.model(source, target)[0].numpy()  # (T, V)
        most = max_steps(checkpoint.config, len(right.source.ids))
        written = tuple(int(each.ids[0]) for each in greedy_steps(checkpoint.model, source, most))
        best = tuple(int(i) for i in log_probs.argmax(-1))
        found.append(Stop(step, log_probs[np.arange(len(wanted)), wanted], best, written))
    return tuple(found)
