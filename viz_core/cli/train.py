"""python -m viz_core train: train a checkpoint on a file of sentence pairs."""

import argparse
import dataclasses
import signal
import sys
from typing import Any

from viz_core.cli import using
from viz_core.config import ModelConfig
from viz_core.errors import VizError
from viz_core.files import ARCHIVES, ARRAYS, require_plain_name

HELP = {
    "pairs": "sentence pairs to train on: source, tab, target; plain text or .gz",
    "valid": "sentence pairs to measure BLEU on after each epoch",
    "out": "folder of the checkpoint",
    "source_language": "a language that spaCy knows",
    "target_language": "a language that spaCy knows",
    "vocab_size": "tokens of the joint vocabulary",
    "alphabet": "number of most frequent characters that get a token each; Chinese needs some thousands",
    "epochs": "passes over all pairs",
    "tokens": "positions in one batch, padding included",
    "warmup": "warm-up steps until the peak of the learning rate",
    "learning_rate": "factor on the paper's schedule",
    "cooldown": "share of all steps, at the end, over which the learning rate goes to 0",
    "smoothing": "label smoothing",
    "clip": "maximum norm of the gradient",
    "average": "decay of the running average of the weights",
    "last_epochs": "the mean of the weights at the ends of this many epochs is tried as well",
    "seed": "random seed for weights, batches and dropout",
    "start": "checkpoint of the same shape whose weights to start from; with other languages, those of the tokens that both have",
    "save_minutes": "minutes between two saves of the state",
    "keep": "steps such as 0,100,1000 after which a snapshot of the weights is saved, for the app to show how the model learned",
    "d_model": "dimension of the vector of each token",
    "n_heads": "number of heads of each attention",
    "n_layers": "number of layers of the encoder, and of the decoder",
    "d_ff": "number of hidden units of the feed-forward network",
    "dropout": "dropout rate on the embeddings and on each sub-layer",
    "max_len": "maximum sentence length, in tokens",
    "norm": "LayerNorm before each sub-layer (pre) or after the sum (post)",
    "decoder": "autoregressive (causal), or a masked decoder that fills all positions at once (masked)",
}


def add_parser(commands: Any) -> None:
    from viz_core.training.settings import TrainSettings

    parser = commands.add_parser("train", help="train a checkpoint", description=__doc__)
    using.add_settings(parser, TrainSettings, HELP)
    using.add_settings(parser, ModelConfig, HELP)
    parser.add_argument("--resume", action="store_true", help="resume from the last complete state in --out")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Train until done or interrupted."""
    from viz_core.training.loop import Trainer
    from viz_core.training.process import distributed, keep_freed_memory
    from viz_core.training.settings import TrainSettings

    settings = using.read_settings(options, TrainSettings)
    shape = {field.name: getattr(options, field.name) for field in dataclasses.fields(ModelConfig) if field.name in HELP}
    keep_freed_memory()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt
    try:
        if not settings.out.is_dir():
            if settings.out.exists():
                raise VizError(f"--out {settings.out}: a file, expected the folder of the checkpoint")
            require_plain_name(settings.out, "a folder", ARCHIVES, ARRAYS)
        with distributed():
            trainer = Trainer(settings, shape, options.resume)
            if trainer.rank == 0:
                for text in trainer.notes:
                    using.note(text)
                print(f"pairs: {len(trainer.pairs):,}; steps an epoch: {trainer.per_epoch:,}", file=sys.stderr)
            trainer.run()
    except OSError as error:
        reason = error.strerror or error
        raise VizError(f"cannot write to {settings.out}: {reason}; --resume continues from the last complete state") from error
