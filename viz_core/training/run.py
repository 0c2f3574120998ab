"""Shared by all training: Adam as in the paper, no step on numbers that are not finite, and a run stepped from outside."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn


def adam(parameters: Iterable[Tensor]) -> torch.optim.Adam:
    """Adam as in Vaswani et al. 2017, §5.3. The learning rate is 1, so that a schedule's factor is the rate itself."""
    groups = [{"params": list(parameters), "initial_lr": 1.0}]
    return torch.optim.Adam(groups, lr=1.0, betas=(0.9, 0.98), eps=1e-9, fused=True)


def not_finite(loss: Tensor, norm: Tensor) -> str:
    """Why no step is possible, given the loss and the norm of its gradient (scalars); empty if both are finite."""
    numbers = torch.stack([loss.detach().float(), norm.detach().float()]).tolist()
    if all(map(math.isfinite, numbers)):
        return ""
    return "the gradient is not a finite number" if math.isfinite(numbers[0]) else f"the loss is {numbers[0]}"


@dataclass(frozen=True)
class TrainingStep:
    """One step, from 1: cross-entropy of its batch before the update, in nats per token, and the learning rate of the update.

    Attributes:
        own: the share of the model's own tokens that the decoder reads.
        paid: the loss of guided attention, without its factor; None if the recipe has none.
    """

    step: int
    loss: float
    learning_rate: float
    own: float = 0.0
    paid: float | None = None


class Run:
    """A training that a page runs step by step: live, or fine-tuning. The measurements outlive the weights.

    Attributes:
        window, limit: a run has diverged if `window` losses in a row are above `limit`.
        overflowed: whether a number was NaN or infinite.
    """

    window: int

    def __init__(self, parameters: Iterable[Tensor]) -> None:
        self._parameters = list(parameters)
        self.measured: list[TrainingStep] = []
        self.limit = math.inf
        self.overflowed = False

    @cached_property
    def optimizer(self) -> torch.optim.Adam:
        """Made by the first step, since torch then loads its compiler, which takes seconds: an untrained model is shown at once."""
        return adam(self._parameters)

    @property
    def diverged(self) -> bool:
        """True if a number is NaN or infinite, or the loss has stayed above the limit for a whole window."""
        last = [step.loss for step in self.measured[-self.window :]]
        return self.overflowed or (len(last) == self.window and min(last) > self.limit)

    def release(self) -> None:
        """Frees the memory of the weights, 12 bytes each; the measurements stay, but no step can follow."""
        self._parameters.clear()
        vars(self).pop("optimizer", None)

    def learn(self, loss: Tensor, rate: float) -> None:
        """Adam's step against the gradient of this loss, unless it is not finite; keeps no gradients."""
        loss.backward()
        self.overflowed |= bool(not_finite(loss, nn.utils.clip_grad_norm_(self._parameters, 1.0)))
        (group,) = self.optimizer.param_groups
        group["lr"] = rate
        if not self.overflowed:
            self.optimizer.step()
        self.optimizer.zero_grad()
