"""Random numbers from a seed. torch has one generator for the whole process, so one thread at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import torch

_lock = threading.RLock()


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Random numbers inside depend on the seed alone; torch's generator is left as it was."""
    with _lock, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
