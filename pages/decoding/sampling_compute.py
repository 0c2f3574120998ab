"""Several samples of an explained sentence: what each draw wrote, and how probable that was to the model itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from pages.decoding.beam_compute import decoder_arguments, editor
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import filtered, sample_steps
from viz_core.decoding.reading import ENDS
from viz_core.explain import Explanation
from viz_core.trace import Array


@dataclass(frozen=True)
class Cut:
    """How a distribution is changed before one draws from it, as `viz_core.decoding.filtered` takes it."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0


@dataclass(frozen=True)
class Draw:
    """One sampled sentence.

    Attributes:
        ids: T tokens; the one that ended it is the last.
        log_probs: natural logarithm of the probability that the model itself gave each, without temperature and cut, T.
        before, after: the probability of each without and with temperature and cut, T.
        dice: the number in 0…1 with which each was drawn, T.
    """

    ids: tuple[int, ...]
    log_probs: tuple[float, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    dice: tuple[float, ...]

    @property
    def total(self) -> float:
        """Σ ln p under the model."""
        return sum(self.log_probs)

    @property
    def ended(self) -> bool:
        """Whether it wrote ⟨/s⟩; else it was cut where a sentence may get no longer."""
        return self.ids[-1] in ENDS


def draw(checkpoint: Checkpoint, explanation: Explanation, cut: Cut, seed: int, draws: int) -> tuple[Draw, ...]:
    """So many draws; the same seed gives the same ones."""
    rows: list[list[tuple[int, float, float, float, float]]] = [[] for _ in range(draws)]
    steps = sample_steps(
        **decoder_arguments(checkpoint, explanation), temperature=cut.temperature, top_k=cut.top_k, top_p=cut.top_p, seed=seed,
        draws=draws, **editor(checkpoint, explanation),
    )  # fmt: skip
    for step in steps:
        own = step.log_probs.double().gather(-1, step.ids[:, None])[:, 0]
        found = zip(*(x.tolist() for x in (step.going, step.ids, own, step.before, step.after, step.dice)), strict=True)
        for row, (going, *values) in zip(rows, found, strict=True):
            if going:
                row.append((int(values[0]), *values[1:]))  # type: ignore[arg-type]
    return tuple(Draw(*(tuple(column) for column in zip(*row, strict=True))) for row in rows)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Shape:
    """One step's distribution before and after the cut, most probable first; V tokens.

    Attributes:
        ids: (V,).
        model: probabilities as the model gave them, (V,).
        tempered: with the temperature, before the cut, (V,).
        after: with both, renormalised; 0 for what is cut, (V,).
        count: how many stay; they are the first ones.
        kept: their share of the tempered distribution, 0…1.
        of_k: the share of the tempered distribution that top-k leaves, 0…1; top-p counts in parts of it.
    """

    ids: Array
    model: Array
    tempered: Array
    after: Array
    count: int
    kept: float
    of_k: float


def shape(log_probs: Array, cut: Cut) -> Shape:
    """log_probs: ln p of each token at one step, as recorded, (V,)."""
    found = filtered(torch.from_numpy(np.array(log_probs)), cut.temperature, cut.top_k, cut.top_p)
    order = found.order.numpy()
    model = np.exp(log_probs.astype(np.float64))[order]
    tempered, after = (x.numpy()[order].astype(np.float64) for x in (found.tempered, found.probabilities))
    of_k = float(tempered[: cut.top_k].sum()) if cut.top_k else 1.0
    return Shape(order, model, tempered, after, int(found.count), 1 - float(found.mass_cut), of_k)
