"""Fine-tuning: trains a copy of a model on a few pairs of another kind, and evaluates it on these and on everyday pairs.

Its loss of quality on everyday pairs is catastrophic forgetting (McCloskey & Cohen 1989). A model may also start from the weights
of one with another vocabulary (Zoph et al. 2016, arXiv:1604.02201, §2).
"""

import copy
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor

from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.errors import CheckpointError, require
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer
from viz_core.training.loss import smoothed_cross_entropy
from viz_core.training.material import Material
from viz_core.training.pair_file import Pair
from viz_core.training.pairs import Batch, IdPair, encode_pairs, make_batch
from viz_core.training.run import Run, TrainingStep

TrainedPart = Literal["whole", "decoder", "embeddings"]
PARTS: tuple[TrainedPart, ...] = ("whole", "decoder", "embeddings")
BATCH, POSITIONS = 8, 320  # most pairs in a batch, and most positions of its longer side including padding: a step must be short
WARMUP = 5  # steps in which the learning rate rises: at first Adam knows nothing about the gradients
EVERY = 10  # steps between two measurements
BLOWN_UP = 1.5  # a run has diverged if its loss stays above this multiple of the first one


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Settings of a fine-tuning run. The same settings give the same numbers on the same machine.

    Raises:
        ConfigError: a value is out of range; the message quotes it.
    """

    checkpoint: Checkpoint
    material: Material
    learning_rate: float = 2e-4
    part: TrainedPart = "whole"
    mixed: bool = False  # whether each batch has as many everyday pairs as new ones
    seed: int = 0

    def __post_init__(self) -> None:
        require(
            self,
            part=(self.part in PARTS, f"one of {', '.join(PARTS)}"),
            learning_rate=(0.0 < self.learning_rate < math.inf, "more than 0"),
        )


@dataclass(frozen=True)
class PairScore:
    """Loss and BLEU of a model on some pairs.

    Attributes:
        loss: mean of −ln p, teacher-forced, in nats per token.
        bleu: of its own greedy translations, `outputs`, 0 … 100.
        right: how many of them equal the reference.
    """

    loss: float
    bleu: float
    right: int
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """Scores after `step` steps, on the held-out pairs and on the everyday ones (None if there are none)."""

    step: int
    held_out: PairScore
    everyday: PairScore | None


class Tuner(Run):
    """One run on a copy of the checkpoint's model. Without dropout, so that only the order of the pairs is random (and seeded)."""

    window = 8

    def __init__(self, tuning: Tuning, first: Evaluation | None = None) -> None:
        """first: the scores before the first step, if known."""
        self.tuning = tuning
        self.model: Transformer | None = _learning(tuning.checkpoint.model)
        super().__init__(p.requires_grad_() for p in _trained(self.model, tuning.part))
        learned = [tuning.material.learn, *([tuning.material.more] if tuning.mixed and tuning.material.more else [])]
        draw = random.Random(tuning.seed)
        self._batches = [_batches(_shuffled(encode_pairs(tuning.checkpoint, pairs), draw)) for pairs in learned]
        self.evaluations: list[Evaluation] = [first or before(tuning.checkpoint, tuning.material)]

    def step(self) -> TrainingStep:
        """One batch: forward, loss, backward, Adam with a constant learning rate after a short warm-up."""
        assert self.model is not None, "the model was released"
        number = len(self.measured) + 1
        rate = self.tuning.learning_rate * min(1.0, number / WARMUP)
        loss = _loss(self.model, self._batch())
        self.learn(loss, rate)
        done = TrainingStep(number, float(loss.detach()), rate)
        self.measured.append(done)
        self.limit = BLOWN_UP * self.measured[0].loss
        if number % EVERY == 0 and not self.diverged:
            self.evaluate_now()
        return done

    def evaluate_now(self) -> None:
        """Evaluates the model at its current step, unless already done; a loss that is not finite ends the run."""
        if self.model is not None and self.evaluations[-1].step < len(self.measured):
            evaluation = evaluate(self.model, self.tuning.checkpoint, self.tuning.material, len(self.measured))
            if all(math.isfinite(score.loss) for score in (evaluation.held_out, evaluation.everyday) if score):
                self.evaluations.append(evaluation)
            else:
                self.overflowed = True

    def release(self) -> None:
        super().release()
        self.model = None

    def _batch(self) -> Batch:
        return make_batch([pair for batches in self._batches for pair in next(batches)], self.tuning.checkpoint.config)


def before(checkpoint: Checkpoint, material: Material) -> Evaluation:
    """The scores of a model before its first step."""
    return evaluate(checkpoint.model, checkpoint, material, 0)


def evaluate(model: Transformer, checkpoint: Checkpoint, material: Material, step: int) -> Evaluation:
    everyday = score(model, checkpoint, material.everyday) if material.everyday else None
    return Evaluation(step, score(model, checkpoint, material.held_out), everyday)


def _loss(model: Transformer, batch: Batch) -> Tensor:
    logits = model.generator.logits(model.states(batch.source, batch.read))  # (B, T, V)
    return smoothed_cross_entropy(logits, batch.predict, 0.0, model.config.pad_id)


@torch.inference_mode()
def score(model: Transformer, checkpoint: Checkpoint, pairs: Sequence[Pair]) -> PairScore:
    losses, count = 0.0, 0
    for rows in _batches(encode_pairs(checkpoint, pairs)):
        batch = make_batch(rows, model.config)
        real = int((batch.predict != model.config.pad_id).sum())
        losses += float(_loss(model, batch)) * real
        count += real
    outputs = translate(replace(checkpoint, model=model), [source for source, _ in pairs])
    right = sum(output == target for output, (_, target) in zip(outputs, pairs, strict=True))
    reached = bleu(outputs, [[target] for _, target in pairs], checkpoint.target_language).score
    return PairScore(losses / count, reached, right, tuple(outputs))


def _learning(model: Transformer) -> Transformer:
    copied = copy.deepcopy(model).eval().requires_grad_(False)
    for parameter in copied.parameters():
        parameter.data = parameter.data.contiguous()  # halves Adam's time
    return copied


def _trained(model: Transformer, part: TrainedPart) -> Iterable[Tensor]:
    if part == "embeddings":
        matrices = (model.source_embedding.weight, model.target_embedding.weight, model.generator.weight)
        return {id(matrix): matrix for matrix in matrices}.values()  # tied ones are the same
    return model.decoder.parameters() if part == "decoder" else model.parameters()


def _shuffled(pairs: Sequence[IdPair], draw: random.Random) -> Iterator[IdPair]:
    """All pairs, over and over in a new order."""
    while True:
        yield from draw.sample(pairs, len(pairs))


def _batches(pairs: Iterable[IdPair]) -> Iterator[list[IdPair]]:
    """The pairs in order, BATCH at a time, or fewer if long."""
    rows: list[IdPair] = []
    longest = 0
    for pair in pairs:
        length = max(map(len, pair)) + 1
        if rows and (len(rows) == BATCH or max(longest, length) * (len(rows) + 1) > POSITIONS):
            yield rows
            rows, longest = [], 0
        rows.append(pair)
        longest = max(longest, length)
    if rows:
        yield rows


PER_TOKEN = ("source_embedding.weight", "target_embedding.weight", "generator.weight", "generator.bias")

SAME = ("n_heads", "n_layers", "n_decoder_layers", "norm", "activation", "positions", "layer_norm", "scaled_embeddings")
"""Settings that must be equal: otherwise the same matrices would compute something else, or some would have no place."""


def take_weights(model: Transformer, tokenizer: Tokenizer, start: Checkpoint) -> None:
    """Copy the parameters that both models have; of those with a row per token, the rows of tokens in both vocabularies.

    Raises:
        CheckpointError: a matrix has another shape or meaning.
    """
    if start.own_source_tokenizer:
        raise CheckpointError(f"{start.name}: has two vocabularies, and a run starts from one of a joint vocabulary")
    for name in SAME:
        ours, theirs = getattr(model.config, name), getattr(start.config, name)
        if ours != theirs:
            raise CheckpointError(f"{start.name}: has {name} {theirs}, this run has {ours}; its weights mean something else there")
    row = {token: i for i, token in enumerate(start.tokenizer.vocab)}
    new, old = zip(*[(i, row[token]) for i, token in enumerate(tokenizer.vocab) if token in row], strict=True)
    given = dict(start.model.named_parameters())
    for name, parameter in model.named_parameters():
        if name not in given:
            continue
        skipped = 1 if name in PER_TOKEN else 0
        if given[name].shape[skipped:] != parameter.shape[skipped:]:
            raise CheckpointError(f"{start.name}: {name} is {tuple(given[name].shape)}, this run has {tuple(parameter.shape)}")
        if name in PER_TOKEN:
            parameter.data[list(new)] = given[name].data[list(old)]
        else:
            parameter.data.copy_(given[name])
