"""Settings of the training of a copy gate; apart from it, so that the command line can list them without torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CopySettings:
    """How a gate is trained.

    Attributes:
        named: pairs in which a name is swapped for a made-up one.   plain: pairs as they are.
        tokens: positions in one batch, padding included.
        learning_rate: of Adam at the start; it falls linearly to 0.
        caution: added to the gate's bias in the end. Less keeps more names, and costs BLEU on ordinary sentences.
        seed: of the names, of which pairs are taken, and of the batches.
    """

    named: int = 8_000
    plain: int = 32_000
    epochs: int = 1
    tokens: int = 1_000
    learning_rate: float = 0.03
    caution: float = 2.0
    seed: int = 0
