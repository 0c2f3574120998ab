"""Sentence pairs as words, to learn a vocabulary from, and as batches of ids, to train on; and toy tasks in their place.

A tiny Transformer learns the toy tasks in seconds: copy a few numbers, reverse them, sort them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID, UNK_ID, ModelConfig
from viz_core.errors import ConfigError
from viz_core.model.embedding import pad
from viz_core.tokenizer import SPACE, BpeTokenizer
from viz_core.tokenizer.bpe import ALPHABET, FIRST_TEXT_ID
from viz_core.training.pair_file import Pair
from viz_core.words import follows_blank, split_words

IdPair = tuple[list[int], list[int]]  # source and target ids of one sentence pair, without special tokens
OURS = ModelConfig(source_vocab=UNK_ID + 1, target_vocab=UNK_ID + 1)  # the special tokens of our own vocabularies


def learn_tokenizer(
    pairs: Sequence[Pair], source_language: str, target_language: str, vocab_size: int, alphabet: int = ALPHABET
) -> BpeTokenizer:
    """The joint vocabulary of both languages; arguments as for `BpeTokenizer.train`.

    Raises:
        ConfigError: vocab_size is less than any vocabulary of these pairs must have.
    """

    def words() -> Iterator[str]:
        for pair in pairs:
            for text, language in zip(pair, (source_language, target_language), strict=True):
                for word in split_words(text, language):
                    if SPACE not in word.text:
                        yield (SPACE if follows_blank(text, word) else "") + word.text

    learned = BpeTokenizer.train(words(), vocab_size, alphabet)
    if len(learned) > vocab_size:
        raise ConfigError(
            f"vocab_size is {vocab_size}, expected at least {len(learned)}: {FIRST_TEXT_ID} tokens are special ones and bytes, "
            f"{len(learned) - FIRST_TEXT_ID} are characters of the pairs and of the keyboard (--alphabet limits these)"
        )
    return learned


def encode_pairs(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[IdPair]:
    return [(checkpoint.encode(source, "source").ids, checkpoint.encode(target, "target").ids) for source, target in pairs]


def fitting_pairs(pairs: Sequence[IdPair], config: ModelConfig, name: str, way_out: str) -> list[IdPair]:
    """The pairs with both sides short enough for the model.

    Raises:
        ConfigError: there is none; the message begins with the file's name, and ends with the advice `way_out`.
    """
    fitting = [pair for pair in pairs if max(map(len, pair)) < config.max_len]
    if pairs and not fitting:
        shortest = min(max(map(len, pair)) for pair in pairs)
        most = f"the shortest has {shortest:,} tokens, max_len {config.max_len:,} leaves room for {config.max_len - 1:,}"
        raise ConfigError(f"{name}: all of its pairs are too long ({most}); {way_out}")
    return fitting


@dataclass(frozen=True)
class Batch:
    """Padded ids of one step's sentences: the source with ⟨/s⟩, (B, S), the decoder's input, ⟨s⟩ first, and its target, (B, T)."""

    source: Tensor
    read: Tensor
    predict: Tensor

    def to(self, device: torch.device) -> Batch:
        return Batch(self.source.to(device), self.read.to(device), self.predict.to(device))


def make_batch(pairs: Sequence[IdPair], config: ModelConfig = OURS) -> Batch:
    first = [] if config.first_id is None else [config.first_id]
    targets = [[*first, *target, config.eos_id] for _, target in pairs]
    return Batch(
        source=pad([config.framed(source) for source, _ in pairs], config.pad_id),
        read=pad([[config.bos_id, *target[:-1]] for target in targets], config.pad_id),
        predict=pad(targets, config.pad_id),
    )


def plan_epoch(lengths: Sequence[tuple[int, int]], tokens: int, seed: int) -> list[list[int]]:
    """Indices of the pairs in each batch, in order, for one epoch.

    Batches are full, since each counts as a step however small it is, and group pairs of similar lengths, which leaves almost no
    padding: pairs are sorted by target length, then by source length, ascending and descending in turn.

    Args:
        lengths: source and target length of each pair.
        tokens: most positions, padding included, on the longer side of a batch.
    """
    draw = random.Random(seed)
    order = list(range(len(lengths)))
    draw.shuffle(order)  # so that pairs of equal length share a batch with others in each epoch
    order.sort(key=lambda i: (lengths[i][1], lengths[i][0] * (-1) ** lengths[i][1]))
    plan: list[list[int]] = []
    longest = 0
    for i in order:
        alone = max(lengths[i]) + 1
        longest = max(longest, alone)
        if not plan or (len(plan[-1]) + 1) * longest > tokens:
            plan.append([])
            longest = alone
        plan[-1].append(i)
    draw.shuffle(plan)
    return plan


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
