"""python -m viz_core copy-gate: train a checkpoint to copy unseen names, and measure how well it does.

Only a gate of a few kilobytes is trained (See et al. 2017), in minutes, and saved in the checkpoint's folder as
copy_gate.safetensors. The weights of the model stay fixed.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz_core.catalog import find
from viz_core.cli import using
from viz_core.errors import TextError
from viz_core.training.copy_settings import CopySettings

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint
    from viz_core.model.pointer import PointerGenerator

HELP = {
    "named": "pairs in which a name that occurs in both languages is replaced by a made-up one",
    "plain": "pairs that are used unchanged",
    "epochs": "passes over all of them",
    "tokens": "positions in one batch, padding included",
    "learning_rate": "initial learning rate of Adam",
    "caution": "added to the gate's bias after training: a smaller value copies more names, and more ordinary words",
    "seed": "random seed for names, pairs and batches",
}


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("copy-gate", help="teach a checkpoint to copy names", description=__doc__)
    parser.add_argument("checkpoint", help=using.MODEL)
    parser.add_argument(
        "--pairs", type=Path, required=True, help="sentence pairs to train on: source, tab, target; plain text or .gz"
    )
    parser.add_argument("--test", type=Path, help="sentence pairs to measure BLEU on, without and with copying")
    using.add_settings(parser, CopySettings, HELP)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Train the gate, save it, and print how well it copies."""
    from viz_core import checkpoint as checkpoints
    from viz_core.analysis.unseen_names import named_sentences
    from viz_core.decoding.copying import NAME, packed
    from viz_core.training.copy_gate import CopyTrainer, pairs_to_copy
    from viz_core.training.pair_file import read_pairs

    settings = using.read_settings(options, CopySettings)
    if settings.epochs < 1 or settings.tokens < 1 or min(settings.named, settings.plain) < 0:
        raise TextError("--epochs and --tokens must be at least 1, --named and --plain at least 0")
    folder = find(options.checkpoint)
    checkpoint = checkpoints.load(folder)
    avoid = {sentence.name.lower() for sentence in named_sentences()}
    pairs = pairs_to_copy(read_pairs(options.pairs, using.note), settings, avoid)
    trainer = CopyTrainer(checkpoint, pairs, settings)
    recent = 0.0
    with using.progress(len(trainer), "batch", "gate") as bar:
        for done, loss in enumerate(trainer, start=1):
            recent += (loss - recent) / min(done, 50)
            bar.update()
            bar.set_postfix_str(f"loss {recent:.3f}")
    using.write(folder / NAME, packed(trainer.pointer, checkpoint.digest, dataclasses.asdict(settings)))
    print(f"{len(pairs):,} pairs: {folder / NAME}", file=sys.stderr)
    _measure(checkpoint, trainer.pointer.eval().requires_grad_(False), options.test)


def _measure(checkpoint: Checkpoint, pointer: PointerGenerator, test: Path | None) -> None:
    from viz_core.analysis.unseen_names import LANGUAGE, copied, name_translations, named_sentences
    from viz_core.bleu import score
    from viz_core.decoding import translate
    from viz_core.training.pair_file import read_references

    if checkpoint.source_language == LANGUAGE:
        names = name_translations(checkpoint, pointer, named_sentences())
        right = (sum(each.in_plain for each in names), sum(each.in_copying for each in names))
        print(f"unseen names translated correctly: {right[0]} of {len(names)} without copying, {right[1]} with copying")
    if test:
        pairs = read_references(test, using.note)
        sources, references = [source for source, _ in pairs], [targets for _, targets in pairs]
        plain = translate(checkpoint, sources)
        for name, answers in (("without", plain), ("with", copied(checkpoint, pointer, sources))):
            print(f"{name} copying: {score(answers, references, checkpoint.target_language)[0].format(width=2)}")
