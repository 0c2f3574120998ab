"""Computations of the training page: a live run and its heads, a step against the gradient, one sentence under each snapshot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from viz_core.analysis.gradient import MatrixGradient
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import greedy_steps, max_steps
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.trace import Array
from viz_core.training.live import LiveTrainer, Recipe, Snapshot
from viz_core.training.loss import penalty_matrix, row_penalties
from viz_core.training.pairs import EXAMPLE, ORDER
from viz_core.training.run import TrainingStep

MOST_CORRECT = 0.9
"""Two runs are compared by the first snapshot with this share of the held-out sequences correct."""


@dataclass(frozen=True, eq=False)
class RunHistory:
    """The steps and snapshots of a live run so far."""

    recipe: Recipe
    measured: Sequence[TrainingStep]
    snapshots: Sequence[Snapshot]

    @classmethod
    def of(cls, trainer: LiveTrainer) -> RunHistory:
        """The run as it is now; copies the lists, since the worker may add to them while they are drawn."""
        return cls(trainer.recipe, list(trainer.measured), list(trainer.snapshots))

    @property
    def learned_at(self) -> int | None:
        """The step of the first snapshot with enough of the held-out sequences correct; None while there is none."""
        return next((snapshot.step for snapshot in self.snapshots if snapshot.accuracy >= MOST_CORRECT), None)

    @property
    def widest_gap(self) -> Snapshot:
        """The snapshot in which the accuracies after the correct prefix and after the model's own differ most."""
        return max(self.snapshots, key=lambda snapshot: snapshot.teacher_forced - snapshot.free_running)


def untrained(recipe: Recipe) -> tuple[Snapshot, float]:
    """The snapshot of a model of this recipe before its first step, and the loss from guessing."""
    trainer = LiveTrainer(recipe)
    return trainer.snapshots[0], trainer.guessing


def attention_on_answer(snapshot: Snapshot, recipe: Recipe) -> Floats:
    """Attention of each head to the number to be written, averaged over the numbers, (L, h)."""
    places = ORDER[recipe.task](EXAMPLE)
    return np.asarray(snapshot.weights[:, :, range(len(places)), places].mean(-1))


def most_accurate_head(snapshot: Snapshot, recipe: Recipe) -> tuple[int, int]:
    """The layer and head that give the most attention to the answer."""
    layer, head = divmod(int(attention_on_answer(snapshot, recipe).argmax()), recipe.n_heads)
    return layer, head


def example_penalty(snapshot: Snapshot) -> float:
    """The guided attention penalty on the example, averaged over rows and heads; also of a run without guidance."""
    return float(row_penalties(snapshot.weights, penalty_matrix(*snapshot.weights.shape[2:])).mean())


def answer_penalty(recipe: Recipe) -> float:
    """The penalty W averaged over the cells with the answers of the example."""
    places = ORDER[recipe.task](EXAMPLE)
    matrix = penalty_matrix(len(places) + 1, len(places) + 1)  # one row and column more for the end
    return float(matrix[range(len(places)), places].mean())


@dataclass(frozen=True, eq=False)
class SnapshotPrediction:
    """The predictions of a model for one sentence after so many training steps.

    Attributes:
        step: None at the end of the training.
        log_probs: of each correct token, after the correct ones before it, (T,).
        best: the ids of the top predictions there, (T,).
        written: the ids of its own output, including the end token if it writes one.
    """

    step: int | None
    log_probs: Array
    best: tuple[int, ...]
    written: tuple[int, ...]

    @property
    def loss(self) -> float:
        """−ln p averaged over the correct tokens: the cross-entropy without smoothing."""
        return -float(self.log_probs.astype(np.float64).mean())


@torch.inference_mode()
def predictions_of(snapshots: Iterable[tuple[int | None, Checkpoint]], correct: Explanation) -> tuple[SnapshotPrediction, ...]:
    """The same sentence under each snapshot.

    Args:
        snapshots: the step, and the model after it.
        correct: the sentence with the target that counts as correct.
    """
    source, target = torch.tensor([correct.source.ids]), torch.tensor([correct.target.ids])
    wanted = [token.id for token in correct.output]
    predictions = []
    for step, checkpoint in snapshots:
        log_probs = checkpoint.model(source, target)[0].numpy()  # (T, V)
        most = max_steps(checkpoint.config, len(correct.source.ids))
        written = tuple(int(step.ids[0]) for step in greedy_steps(checkpoint.model, source, most))
        best = tuple(int(i) for i in log_probs.argmax(-1))
        predictions.append(SnapshotPrediction(step, log_probs[np.arange(len(wanted)), wanted], best, written))
    return tuple(predictions)


POINTS, FEWEST = 21, 5
"""Points of the curve of the loss over one weight, and for the longest sentences; odd, so that the weight itself is one."""
TOKENS = 2000
"""Tokens in all points of a curve together, so that it takes about a second at most."""
SPREAD, REACH = 3.0, 1.5
"""The curve reaches this many standard deviations of the matrix's weights to each side, and this many times as far as the step."""
TERMS = 3
"""Positions whose share of a gradient is written out."""


@dataclass(frozen=True)
class GradientStep:
    """One step of gradient descent on one weight: w and its loss, ∂L/∂w, w′ = w − η ∂L/∂w and the loss there, in nats."""

    weight: float
    loss: float
    slope: float
    new_weight: float
    new_loss: float

    @property
    def predicted(self) -> float:
        """The loss at w′ on the tangent."""
        return self.loss + self.slope * (self.new_weight - self.weight)


def curve_values(weight: float, moved: float, spread: float, tokens: int) -> tuple[float, ...]:
    """The values of a weight over which its loss is drawn, its own in the middle.

    Args:
        moved: the weight after the step.
        spread: standard deviation of its matrix's weights.
        tokens: read for each of the losses; many of them leave time for fewer points.
    """
    half = max(SPREAD * spread, REACH * abs(moved - weight))
    points = min(max(TOKENS // tokens, FEWEST), POINTS)
    return tuple((weight + np.linspace(-half, half, points - (points + 1) % 2)).tolist())


def largest_terms(gradient: MatrixGradient) -> tuple[list[tuple[float, float]], bool]:
    """The positions with the largest shares in the steepest weight's gradient, (∂L/∂y, x) each, and whether there are others."""
    i, j = gradient.steepest
    slopes, x = gradient.y_gradient[:, j], gradient.x[:, i]
    first = np.argsort(-np.abs(slopes * x), kind="stable")
    return [(float(slopes[t]), float(x[t])) for t in first[:TERMS]], len(first) > TERMS


def apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers as text, with so many digits that they differ in two of them."""
    difference = abs(one - other)
    digits = 3 if not difference else min(max(1 - math.floor(math.log10(difference)), 3), 9)
    return minus(f"{one:,.{digits}f}"), minus(f"{other:,.{digits}f}")


def minus(text: str) -> str:
    """With a true minus sign."""
    return text.replace("-", "−")
