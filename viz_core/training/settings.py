"""Settings of a training run, and its learning rate over time (Vaswani et al. 2017, §5.3)."""

from dataclasses import dataclass
from pathlib import Path

from viz_core.errors import require
from viz_core.tokenizer.bpe import ALPHABET, KEYBOARD

COUNTS = ("vocab_size", "epochs", "tokens", "warmup")
MOST = 10_000_000  # upper bound of each of them, and of the alphabet
LARGEST_RATE = 1e30  # beyond it float32 overflows


@dataclass(frozen=True, kw_only=True)
class TrainSettings:
    """Files, recipe and bookkeeping of one run, by default those of the shipped checkpoint.

    Raises:
        ConfigError: a value is out of range; the message quotes it.
    """

    pairs: Path
    valid: Path
    out: Path
    source_language: str = "en"
    target_language: str = "de"
    vocab_size: int = 8000
    alphabet: int = ALPHABET  # characters with a token each; Chinese needs several thousand
    epochs: int = 12
    tokens: int = 3000  # positions in one batch, padding included, on the longer side
    warmup: int = 2000  # steps until the learning rate's peak (§5.3)
    learning_rate: float = 1.0  # factor on the paper's schedule
    cooldown: float = 0.3  # share of all steps, at the end, over which the learning rate goes to 0
    smoothing: float = 0.1
    clip: float = 1.0
    average: float = 0.999  # decay of the running average of the weights
    last_epochs: int = 0  # also try the mean of the weights at the ends of this many epochs (§6.1); 0: do not
    seed: int = 0
    start: Path | None = None
    """A checkpoint whose weights the run starts from; refused if the shape of a matrix differs. With the same languages, its
    vocabulary is used, too; otherwise only the vectors of tokens that both vocabularies have."""
    save_minutes: float = 2.0
    keep: tuple[int, ...] = ()
    """Steps after which a snapshot of the weights is saved, to show the training; 0 is before the first."""

    def __post_init__(self) -> None:
        require(
            self,
            **{name: (getattr(self, name) >= 1, "at least 1") for name in COUNTS},
            **{name: (0 <= getattr(self, name) < 1, "at least 0 and less than 1") for name in ("cooldown", "smoothing", "average")},
            **{name: (getattr(self, name) > 0, "more than 0") for name in ("clip", "save_minutes")},
            alphabet=(self.alphabet >= len(KEYBOARD), f"at least {len(KEYBOARD)}: the signs of a keyboard and the blank"),
            learning_rate=(0 < self.learning_rate <= LARGEST_RATE, f"more than 0, at most {LARGEST_RATE:g}"),
            last_epochs=(0 <= self.last_epochs <= self.epochs, f"at least 0 and at most the epochs, {self.epochs}"),
            seed=(-(2**63) <= self.seed < 2**63, "a whole number of 64 bits"),
            keep=(min(self.keep, default=0) >= 0, "steps of at least 0"),
        )
        require(self, **{name: (getattr(self, name) <= MOST, f"at most {MOST:,}") for name in (*COUNTS, "alphabet")})


def noam(step: int, d_model: int, warmup: int) -> float:
    """d_model^−0.5 · min(step^−0.5, step · warmup^−1.5)  (§5.3, eq. 3), from step 1; 0 is taken as 1."""
    step = max(step, 1)
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def cooldown(step: int, total: int, share: float) -> float:
    """1, then linearly to 0 over the last `share` of all steps.

    It removes the noise of a large learning rate from the weights, for which the paper averages its last checkpoints.
    """
    if share <= 0.0:
        return 1.0
    return min(1.0, max(0.0, (total - step) / (total * share)))
