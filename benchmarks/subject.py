"""What is measured: the shipped checkpoint, or a model of its shape."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID, ModelConfig
from viz_core.errors import CheckpointError
from viz_core.explain import explain
from viz_core.model import Transformer

ROOT = Path(__file__).parents[1]
SHIPPED = ROOT / "checkpoints" / "en-de"
WORDS = "the old man saw a small dog and the young girl gave a big book to her good friend in the house"
GERMAN = "der alte Mann sah einen kleinen Hund und das junge Mädchen gab ihrem guten Freund ein Buch in dem großen Haus"
SHAPE = ModelConfig(source_vocab=8000, target_vocab=8000)


def shipped() -> Checkpoint | None:
    """The checkpoint that comes with the program; None if it is not there."""
    try:
        return checkpoints.load(SHIPPED)
    except CheckpointError:
        return None


def untrained(config: ModelConfig = SHAPE) -> Transformer:
    """Random weights, the same each time. They take as long to multiply with as trained ones."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return Transformer(config).for_reading()


def some_ids(length: int, vocab: int) -> Tensor:
    """One sequence of random tokens that ends in ⟨/s⟩, the same each time, (1, length)."""
    dice = torch.Generator().manual_seed(length)
    ids = torch.randint(EOS_ID + 1, vocab, (1, length), generator=dice)
    ids[0, -1] = EOS_ID
    return ids


def pair(checkpoint: Checkpoint, length: int) -> tuple[str, str]:
    """A sentence and a translation of exactly so many tokens each, ⟨/s⟩ among them."""

    def cut(words: str, side: str) -> str:
        many = (f"{words} " * 8).split()
        for count in range(length, 0, -1):
            text = " ".join(many[:count])
            tokens = explain(checkpoint, text if side == "source" else "Hello.", "" if side == "source" else text)
            if len(getattr(tokens, side)) == length:
                return text
        raise ValueError(f"no text of {length} tokens among {words!r}")

    return cut(WORDS, "source"), cut(GERMAN, "target")
