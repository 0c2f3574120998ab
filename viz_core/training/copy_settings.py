"""Settings of a copy gate, which the command line shows without loading torch."""

from dataclasses import dataclass

from viz_core.errors import require

LARGEST = 1e30  # beyond it float32 overflows


@dataclass(frozen=True)
class CopySettings:
    """Settings of the training of a gate.

    Attributes:
        named: number of pairs with a name swapped for a made-up one.   plain: number of unchanged pairs.
        tokens: positions in one batch, padding included.
        learning_rate: of Adam at the start; it falls linearly to 0.
        caution: added to the gate's bias at the end. Less keeps more names, and costs BLEU on ordinary sentences.
        seed: for the names, the choice of pairs, and the batches.

    Raises:
        ConfigError: a value is out of range; the message quotes it.
    """

    named: int = 8_000
    plain: int = 32_000
    epochs: int = 1
    tokens: int = 1_000
    learning_rate: float = 0.03
    caution: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        require(
            self,
            epochs=(self.epochs >= 1, "at least 1"),
            tokens=(self.tokens >= 1, "at least 1"),
            named=(self.named >= 0, "at least 0"),
            plain=(self.plain >= (self.named == 0), "at least 0, and at least 1 without --named"),
            learning_rate=(0 < self.learning_rate <= LARGEST, f"more than 0, at most {LARGEST:g}"),
            seed=(-(2**63) <= self.seed < 2**63, "a whole number of 64 bits"),
            caution=(abs(self.caution) <= LARGEST, f"at most {LARGEST:g}, with either sign"),
        )
