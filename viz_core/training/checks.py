"""Checks before a run: refuses a model or batches too large for the machine, and notes settings that have no effect."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import torch

from viz_core.config import ModelConfig
from viz_core.decoding.translate import cut_length
from viz_core.errors import ConfigError, require
from viz_core.training.pair_file import counted
from viz_core.training.snapshots import saved_steps
from viz_core.weights import MAX_POSITIONS

if TYPE_CHECKING:
    from viz_core.training.loop import Trainer


MOST = {"n_layers": 1_000, "max_len": MAX_POSITIONS, "d_model": 1_000_000, "d_ff": 10_000_000}
"""Largest sizes: a larger model takes minutes to build, or would not be accepted as a checkpoint."""
COPIES = 5  # of each weight, in float32: itself, its gradient, two moments of Adam, the running average
FLOAT = 4  # bytes


def require_room(config: ModelConfig, device: torch.device, batches: Iterable[int] = ()) -> None:
    """Refuses a model or a batch that cannot fit into the memory.

    Args:
        batches: positions of each batch, padding included.

    Raises:
        ConfigError: the weights, with or without the vectors of the largest batch, need more memory than there is.
    """
    room = _memory(device)
    require(config, **{name: (getattr(config, name) <= most, f"at most {most:,}") for name, most in MOST.items()})
    weights = _weights(config)
    if COPIES * FLOAT * weights > room:
        raise ConfigError(
            f"a model of this shape has {weights:,} weights, and training it needs {_gigabytes(COPIES * FLOAT * weights)}, "
            f"more than the {_gigabytes(room)} here; choose a smaller --d-model, --d-ff, --n-layers or --vocab-size"
        )
    largest = max(batches, default=0)
    vectors = largest * (config.n_layers + config.layers("decoder")) * (6 * config.d_model + 2 * config.d_ff)  # at the least
    if FLOAT * (COPIES * weights + vectors) > room:
        raise ConfigError(
            f"a batch of {largest:,} positions needs {_gigabytes(FLOAT * vectors)}, more than is left of the {_gigabytes(room)} "
            "here; choose a smaller --tokens, or leave out long pairs with --max-len"
        )


def _weights(config: ModelConfig) -> int:
    """Number of weights in matrices, which are nearly all."""
    attentions = config.n_layers + 2 * config.layers("decoder")
    layers = config.n_layers + config.layers("decoder")
    return config.target_vocab * config.d_model + 4 * attentions * config.d_model**2 + 2 * layers * config.d_model * config.d_ff


def _memory(device: torch.device) -> int:
    """Memory of the device in bytes."""
    if device.type == "cuda":
        return int(torch.cuda.get_device_properties(device).total_memory)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # unknown on this system
        return sys.maxsize


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:,.0f} GB" if size > 1e10 else f"{size / 1e9:.1f} GB"


def notes(trainer: Trainer, resume: bool, vocabulary_of: str | None) -> Iterator[str]:
    """Sentences about a run before it begins. vocabulary_of: the checkpoint that the vocabulary is taken from."""
    s, config, learned = trainer.settings, trainer.model.config, len(trainer.tokenizer)
    if vocabulary_of:
        yield f"the vocabulary is that of {vocabulary_of}, {learned:,} tokens; --vocab-size and --alphabet do not count"
    elif learned < s.vocab_size and not resume:
        yield f"the pairs give {learned:,} tokens, fewer than --vocab-size {s.vocab_size:,}"
    most = f"the first {config.longest_source:,} tokens (--max-len)"
    if trainer.skipped:
        yield f"{s.pairs.name}: {counted(trainer.skipped, 'pair')} left out, longer than {config.max_len - 1:,} tokens (--max-len)"
    if cut := sum(cut_length(trainer.checkpoint(trainer.model), source) > 0 for source, _ in trainer.valid):
        yield f"{s.valid.name}: of {counted(cut, 'source')} only {most} are translated"
    if long := sum(max(lengths) + 1 > s.tokens for lengths in trainer.lengths):
        yield f"{counted(long, 'pair')} longer than --tokens {s.tokens:,}, each in a batch of its own"
    if trainer.total < s.warmup:
        yield f"--warmup {s.warmup:,} is longer than the run, {trainer.total:,} steps: the learning rate does not reach its peak"
    kept = saved_steps(s.out)
    if never := [step for step in s.keep if step not in kept and not trainer.progress.step <= step <= trainer.total]:
        steps = ",".join(map(str, never))
        yield f"--keep {steps}: no snapshot, as steps {trainer.progress.step:,} to {trainer.total:,} are trained"
    if trainer.progress.measured >= s.epochs:
        yield f"{counted(trainer.progress.measured, 'epoch')} done already, so --epochs {s.epochs:,} leaves nothing to do"
