"""Toy tasks that a tiny Transformer learns in seconds: copy a few numbers, reverse them, sort them."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from viz_core.config import EOS_ID, UNK_ID
from viz_core.training.pairs import Batch, IdPair, make_batch

Task = Literal["copy", "reverse", "sort"]
Numbers = tuple[int, ...]

HIGHEST = 10  # numbers are 1 … 10
SHORTEST, LONGEST = 3, 10  # length of a sequence
EXAMPLE: Numbers = (7, 2, 9, 4, 10, 1, 6, 3)
"""The held-out sequence drawn while the model learns. No number repeats, so each target has one correct place to attend to."""
VOCABULARY = UNK_ID + 1 + HIGHEST  # the four special tokens and one per number

ORDER: Mapping[Task, Callable[[Numbers], list[int]]] = {
    "copy": lambda numbers: list(range(len(numbers))),
    "reverse": lambda numbers: list(range(len(numbers)))[::-1],
    "sort": lambda numbers: sorted(range(len(numbers)), key=lambda i: numbers[i]),
}
"""For each task, the source positions in the order in which their numbers are written."""


def solved(task: Task, numbers: Numbers) -> Numbers:
    return tuple(numbers[i] for i in ORDER[task](numbers))


def encode(numbers: Sequence[int]) -> list[int]:
    return [UNK_ID + number for number in numbers]


def decode(ids: Sequence[int]) -> Numbers:
    """The numbers, with 0 for a special token (an untrained model may write one)."""
    return tuple(max(0, i - UNK_ID) for i in ids if i != EOS_ID)


def pair(task: Task, numbers: Numbers) -> IdPair:
    return encode(numbers), encode(solved(task, numbers))


class Examples:
    """An endless supply of random sequences from one seed. Those in `held_out` (EXAMPLE first) never occur in a batch."""

    def __init__(self, task: Task, seed: int, held_out: int) -> None:
        self.task = task
        self._draw = random.Random(seed)
        held = {EXAMPLE: None}  # a set that keeps its order
        while len(held) < held_out:
            held[self._numbers()] = None
        self.held_out: tuple[Numbers, ...] = tuple(held)
        self._held_out = frozenset(held)

    def batch(self, size: int) -> tuple[list[Numbers], Batch]:
        """The next sequences, and the model's input for them."""
        drawn: list[Numbers] = []
        while len(drawn) < size:
            if (numbers := self._numbers()) not in self._held_out:
                drawn.append(numbers)
        return drawn, make_batch([pair(self.task, numbers) for numbers in drawn])

    def _numbers(self) -> Numbers:
        return tuple(self._draw.randint(1, HIGHEST) for _ in range(self._draw.randint(SHORTEST, LONGEST)))
