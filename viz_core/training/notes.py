"""Settings of a run that do not do what one may expect of them, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from viz_core.decoding.translate import cut_length
from viz_core.training.pair_file import counted
from viz_core.training.snapshots import saved_steps

if TYPE_CHECKING:
    from viz_core.training.loop import Trainer


def notes(trainer: Trainer, resume: bool, vocabulary_of: str | None) -> Iterator[str]:
    """Sentences about a run that is about to begin. vocabulary_of: the name of the checkpoint that gave its vocabulary."""
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
