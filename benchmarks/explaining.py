"""A typed sentence, end to end: words, tokens, encoding, decoding, traced pass."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Row, alone, threads
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

SENTENCE = "The old sailor told his daughter a long story about the moon."  # 12 words


def rows(checkpoint: Checkpoint, thread_counts: tuple[int, ...], rounds: int) -> Iterator[Row]:
    """One row for each number of threads."""
    tokens = len(explain(checkpoint, SENTENCE).steps)
    for count in thread_counts:
        with threads(count):
            yield Row(
                f"explain() a sentence of 12 words, {tokens} steps", alone(partial(explain, checkpoint, SENTENCE), rounds),
                aim=150, threads=count,
            )  # fmt: skip
