"""Sampling from an explained sentence's distributions, with the model as trained or edited."""

from dataclasses import dataclass

import numpy as np
import torch

from viz_core.analysis.search import decoder_arguments, editor, forced_in
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import filtered, sample_steps
from viz_core.explain import Explanation
from viz_core.progress import Progress, counted
from viz_core.trace import Array


@dataclass(frozen=True)
class SamplingOptions:
    """Temperature and truncation, as arguments of `viz_core.decoding.filtered`."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0


@dataclass(frozen=True)
class Draw:
    """One sampled sentence.

    Attributes:
        ids: the T tokens, including the one that ends the sentence.
        log_probs: ln p of each under the model itself, without temperature and truncation, (T,).
        before, after: each one's probability without and with temperature and truncation, (T,).
        dice: the random numbers in 0…1 that picked them, (T,).
        ended: whether it ends with ⟨/s⟩; otherwise it was cut off at the maximum length.
    """

    ids: tuple[int, ...]
    log_probs: tuple[float, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    dice: tuple[float, ...]
    ended: bool

    @property
    def total(self) -> float:
        """Σ ln p under the model."""
        return sum(self.log_probs)


def draw(
    checkpoint: Checkpoint,
    explanation: Explanation,
    options: SamplingOptions,
    seed: int,
    draws: int,
    progress: Progress | None = None,
) -> tuple[Draw, ...]:
    """Several sampled sentences; the same seed gives the same sentences."""
    rows: list[list[tuple[int, float, float, float, float]]] = [[] for _ in range(draws)]
    how = {**decoder_arguments(checkpoint, explanation), **editor(checkpoint, explanation), **vars(options)}
    steps = sample_steps(**how, seed=seed, draws=draws, forced=forced_in(checkpoint, explanation))
    for step in counted(steps, progress):
        own = step.log_probs.double().gather(-1, step.ids[:, None])[:, 0]
        drawn = zip(*(x.tolist() for x in (step.going, step.ids, own, step.before, step.after, step.dice)), strict=True)
        for row, (going, *values) in zip(rows, drawn, strict=True):
            if going:
                row.append((int(values[0]), *values[1:]))  # type: ignore[arg-type]
    columns = ([tuple(column) for column in zip(*row, strict=True)] for row in rows)
    return tuple(Draw(*fields, ended=fields[0][-1] in checkpoint.config.ends) for fields in columns)  # type: ignore[arg-type, misc]


@dataclass(frozen=True, eq=False)
class TruncatedDistribution:
    """One step's distribution before and after truncation, the most probable of the V tokens first.

    Attributes:
        ids: (V,).
        model: the model's own probabilities, (V,).
        tempered: the probabilities at the temperature, before truncation, (V,).
        after: the probabilities at the temperature after truncation, renormalized; 0 for a token cut off, (V,).
        count: how many tokens are kept, which are the first ones.
        kept: the kept tokens' share of the tempered distribution, 0…1.
        of_k: the share of the tempered distribution that top-k keeps, 0…1; top-p is a share of that.
    """

    ids: Array
    model: Array
    tempered: Array
    after: Array
    count: int
    kept: float
    of_k: float


def truncated(log_probs: Array, options: SamplingOptions) -> TruncatedDistribution:
    """One step's distribution, truncated. log_probs: the recorded ln p of each token, (V,)."""
    kept = filtered(torch.from_numpy(np.array(log_probs)), **vars(options))
    order = kept.order.numpy()
    model = np.exp(log_probs.astype(np.float64))[order]
    tempered, after = (x.numpy()[order].astype(np.float64) for x in (kept.tempered, kept.probabilities))
    of_k = float(tempered[: options.top_k].sum()) if options.top_k else 1.0
    return TruncatedDistribution(order, model, tempered, after, int(kept.count), 1 - float(kept.mass_cut), of_k)
