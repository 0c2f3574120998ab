"""python -m viz_core train: from a file of sentence pairs to a checkpoint."""

from __future__ import annotations

import argparse
import dataclasses
import signal
import sys
from pathlib import Path
from typing import Any

from viz_core.config import ModelConfig
from viz_core.errors import VizError

SHAPE = ("d_model", "n_heads", "n_layers", "d_ff", "dropout", "max_len", "norm", "decoder")


HELP = {
    "pairs": "sentence pairs to learn from: source, tab, target; plain or .gz",
    "valid": "sentence pairs to measure BLEU on after each epoch",
    "out": "folder of the checkpoint",
    "source_language": "a language that spaCy knows",
    "target_language": "a language that spaCy knows",
    "vocab_size": "tokens of the joint vocabulary",
    "epochs": "passes over all pairs",
    "tokens": "positions in one batch, padding included",
    "warmup": "steps until the peak of the learning rate",
    "learning_rate": "factor on the paper's schedule",
    "cooldown": "share of all steps, at the end, over which the learning rate goes to 0",
    "smoothing": "label smoothing",
    "clip": "largest length of the gradient",
    "average": "decay of the running average of the weights",
    "seed": "of weights, batches and dropout",
    "start": "checkpoint whose vocabulary and weights to begin with; its shape must be this one's",
    "save_minutes": "minutes between two saved states",
    "keep": "steps such as 0,100,1000 after which the weights are kept, for the app to show how it learned",
    "d_model": "numbers that stand for a token inside the model",
    "n_heads": "heads of each attention",
    "n_layers": "layers of the encoder, and of the decoder",
    "d_ff": "width of the feed-forward",
    "dropout": "on the embeddings and on each sub-layer",
    "max_len": "longest sentence, in tokens",
    "norm": "LayerNorm before each sub-layer (pre) or after the sum (post)",
    "decoder": "write token by token (causal), or fill masked places, all at once (masked)",
}


def add_parser(commands: Any) -> None:
    """Adds the command, its options named and defaulted as in ModelConfig and TrainSettings."""
    from viz_core.training.settings import TrainSettings

    parser = commands.add_parser("train", help="train a checkpoint", description=__doc__)
    for field in dataclasses.fields(TrainSettings):
        option = "--" + field.name.replace("_", "-")
        if field.default is dataclasses.MISSING:
            parser.add_argument(option, type=Path, required=True, help=HELP[field.name])
        else:
            kind = {(): _steps, None: Path}.get(field.default, type(field.default))
            parser.add_argument(option, type=kind, default=field.default, help=f"{HELP[field.name]} (default: %(default)s)")
    for field in dataclasses.fields(ModelConfig):
        if field.name in SHAPE:
            option = "--" + field.name.replace("_", "-")
            parser.add_argument(
                option, type=type(field.default), default=field.default, help=f"{HELP[field.name]} (default: %(default)s)"
            )
    parser.add_argument("--resume", action="store_true", help="go on from the last complete state in --out")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Trains until done or interrupted.

    Raises:
        VizError: a file or setting is wrong, or the disk is full.
    """
    from viz_core.training.loop import Trainer
    from viz_core.training.process import distributed, keep_freed_memory
    from viz_core.training.settings import TrainSettings

    settings = TrainSettings(**{f.name: getattr(options, f.name) for f in dataclasses.fields(TrainSettings)})
    shape = {name: getattr(options, name) for name in SHAPE}
    keep_freed_memory()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with distributed():
            trainer = Trainer(settings, shape, options.resume)
            if trainer.rank == 0:
                skipped = f", {trainer.skipped:,} too long and left out" if trainer.skipped else ""
                print(f"{len(trainer.pairs):,} pairs{skipped}; {trainer.per_epoch:,} steps an epoch", file=sys.stderr)
            trainer.run()
    except OSError as error:
        reason = error.strerror or error
        raise VizError(f"cannot write to {settings.out}: {reason}; --resume goes on from the last complete state") from error


def _steps(text: str) -> tuple[int, ...]:
    return tuple(int(step) for step in text.split(","))


def _interrupt(signum: int, frame: object) -> None:
    raise KeyboardInterrupt
