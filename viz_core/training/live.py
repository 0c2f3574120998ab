"""Live training of a tiny Transformer, one step at a time, with snapshots of its output and attention."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from viz_core.config import BOS_ID, EOS_ID, PAD_ID, ModelConfig
from viz_core.decoding import greedy
from viz_core.errors import require
from viz_core.model import Transformer
from viz_core.seeded import seeded
from viz_core.taps import OFF, Recorder
from viz_core.trace import Array, Trace
from viz_core.training.loss import guided_loss, smoothed_cross_entropy
from viz_core.training.pairs import (
    EXAMPLE,
    LONGEST,
    ORDER,
    VOCABULARY,
    Batch,
    Examples,
    Numbers,
    Task,
    decode,
    make_batch,
    pair,
    solved,
)
from viz_core.training.run import Run, TrainingStep
from viz_core.training.scheduled import DECAYS, Decay, mix_inputs, sampling_share, token_accuracy
from viz_core.training.settings import noam

BATCH, HELD_OUT = 64, 100
MOST_SNAPSHOTS = 60
FIRST_EVERY = 10
"""Steps between two snapshots at first; at MOST_SNAPSHOTS, every second one is dropped and the distance doubles."""
BLOWN_UP = 4.0  # a run has diverged if its loss stays above this multiple of guessing


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Settings of a live run. The same recipe gives the same numbers.

    Raises:
        ConfigError: a value is out of range; the message quotes it.
    """

    task: Task = "reverse"
    n_layers: int = 1
    n_heads: int = 4
    d_model: int = 64
    learning_rate: float = 1.0  # factor on the paper's schedule
    warmup: int = 100
    smoothing: float = 0.0
    norm: Literal["pre", "post"] = "pre"
    decay: Decay = "off"  # how the share of the decoder's own tokens rises over the steps (scheduled sampling)
    own: float = 0.5  # maximum of that share, 0 … 1
    guided: float = 0.0  # factor on the loss of guided attention
    seed: int = 0

    def __post_init__(self) -> None:
        require(
            self,
            task=(self.task in ORDER, f"one of {', '.join(ORDER)}"),
            warmup=(self.warmup >= 1, "at least 1"),
            smoothing=(0.0 <= self.smoothing < 1.0, "at least 0 and less than 1"),
            learning_rate=(0.0 < self.learning_rate < math.inf, "more than 0"),
            decay=(self.decay in DECAYS, f"one of {', '.join(DECAYS)}"),
            own=(0.0 <= self.own <= 1.0, "at least 0 and at most 1"),
            guided=(0.0 <= self.guided < math.inf, "at least 0"),
        )

    def config(self) -> ModelConfig:
        """The model's shape, without dropout: no batch comes twice."""
        return ModelConfig(
            source_vocab=VOCABULARY, target_vocab=VOCABULARY, d_model=self.d_model, n_heads=self.n_heads, n_layers=self.n_layers,
            d_ff=2 * self.d_model, dropout=0.0, max_len=LONGEST + 2, norm=self.norm,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Output, attention and accuracy of the model after `step` steps.

    Attributes:
        weights: cross attention of the example, teacher-forced, (L, h, Tq, Tk).
        output: its own greedy output for the example.
        accuracy: share of the held-out sequences written without an error.
        teacher_forced, free_running: accuracy per token, reading the correct tokens or its own.
    """

    step: int
    weights: Array
    output: Numbers
    accuracy: float
    teacher_forced: float
    free_running: float


class LiveTrainer(Run):
    """One live run, deterministic for the recipe's seed."""

    window = 20

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.examples = Examples(recipe.task, recipe.seed, HELD_OUT)
        with seeded(recipe.seed):
            self.model = Transformer(recipe.config())
        self._generator = torch.Generator().manual_seed(recipe.seed)
        super().__init__(self.model.parameters())
        self.guessing = guessing(self.examples, recipe.smoothing)
        self.limit = BLOWN_UP * self.guessing
        self.every = FIRST_EVERY
        self.snapshots: list[Snapshot] = [self.snapshot()]

    def release(self) -> None:
        super().release()
        del self.model

    def step(self) -> TrainingStep:
        """One batch: forward, loss, backward, Adam; a snapshot if one is due.

        With scheduled sampling the decoder runs twice, and only the second pass has gradients.
        """
        number = len(self.measured) + 1
        rate = self.recipe.learning_rate * noam(number, self.recipe.d_model, self.recipe.warmup)
        _, batch = self.examples.batch(BATCH)
        self.model.train()
        memory, memory_mask = self.model.encode(batch.source)  # (B, S, D), (B, 1, 1, S)
        share = sampling_share(self.recipe.decay, number, self.recipe.own)
        read = self._mixed_inputs(batch, memory, memory_mask, share) if share else batch.read  # (B, T)
        recorder = Recorder() if self.recipe.guided else None
        states = self.model.decode(read, memory, memory_mask, recorder or OFF)  # (B, T, D)
        loss = smoothed_cross_entropy(self.model.generator.logits(states), batch.predict, self.recipe.smoothing)
        paid = self._guided_loss(recorder, batch) if recorder else None
        self.learn(loss if paid is None else loss + self.recipe.guided * paid, rate)
        done = TrainingStep(number, float(loss.detach()), rate, share, None if paid is None else float(paid.detach()))
        self.measured.append(done)
        if number % self.every == 0 and not self.diverged:
            self._add(self.snapshot())
        return done

    @torch.no_grad()
    def _mixed_inputs(self, batch: Batch, memory: Tensor, memory_mask: Tensor, share: float) -> Tensor:
        """Decoder input with some of the model's own tokens, (B, T)."""
        logits = self.model.generator.logits(self.model.decode(batch.read, memory, memory_mask))  # (B, T, V)
        return mix_inputs(batch.read, logits.argmax(-1), share, torch.rand(batch.read.shape, generator=self._generator))[0]

    def _guided_loss(self, recorder: Recorder, batch: Batch) -> Tensor:
        weights = [recorder.tensors[f"decoder.{layer}.cross_attn.weights"] for layer in range(self.recipe.n_layers)]
        return guided_loss(weights, (batch.predict != PAD_ID).sum(1), (batch.source != PAD_ID).sum(1))

    @torch.inference_mode()
    def snapshot(self) -> Snapshot:
        self.model.eval()
        source, target = pair(self.recipe.task, EXAMPLE)
        recorder = Recorder()
        self.model(torch.tensor([[*source, EOS_ID]]), torch.tensor([[BOS_ID, *target]]), recorder)
        trace = Trace(self.model.config, recorder.tensors)
        weights = np.stack([trace.attention("cross", layer).weights for layer in range(self.recipe.n_layers)])
        held_out = self.examples.held_out
        batch = make_batch([pair(self.recipe.task, numbers) for numbers in held_out])
        written = greedy(self.model, batch.source, LONGEST + 2)
        right = [decode(ids) == solved(self.recipe.task, numbers) for ids, numbers in zip(written, held_out, strict=True)]
        teacher_forced, free_running = token_accuracy(self.model, batch, written)
        return Snapshot(len(self.measured), weights, decode(written[0]), sum(right) / len(right), teacher_forced, free_running)

    def _add(self, snapshot: Snapshot) -> None:
        if not np.isfinite(snapshot.weights).all():
            self.overflowed = True
            return
        self.snapshots.append(snapshot)
        if len(self.snapshots) >= MOST_SNAPSHOTS:
            self.snapshots = self.snapshots[::2]
            self.every *= 2


def guessing(examples: Examples, smoothing: float) -> float:
    """The least loss of a fixed distribution at every position: the token frequencies."""
    ids = [i for numbers in examples.held_out for i in [*pair(examples.task, numbers)[1], EOS_ID]]
    share = np.bincount(ids, minlength=VOCABULARY) / len(ids)
    target = (1 - smoothing) * share + smoothing / VOCABULARY
    return float(-np.sum(target[target > 0] * np.log(target[target > 0])))
