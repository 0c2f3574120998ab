"""python -m viz_core copy-gate: train a checkpoint to copy unseen names, and measure how well it does.

Only a gate of a few kilobytes is trained (See et al. 2017), in minutes, and saved in the checkpoint's folder as
copy_gate.safetensors. The weights of the model stay fixed.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING, Any

from viz_core.catalog import find
from viz_core.cli import using
from viz_core.files import path
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
        "--pairs", type=path, required=True, help="sentence pairs to train on: source, tab, target; plain text or .gz"
    )
    parser.add_argument("--test", type=path, help="sentence pairs to measure BLEU on, without and with copying")
    using.add_settings(parser, CopySettings, HELP)
    using.add_force(parser, "copy_gate.safetensors")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Train the gate, save it, and print how well it copies."""
    from viz_core import checkpoint as checkpoints
    from viz_core.analysis.unseen_names import named_sentences
    from viz_core.decoding.copying import NAME, packed, pairs_behind
    from viz_core.training.copy_gate import CopyTrainer, pairs_to_copy
    from viz_core.training.pair_file import read_pairs, read_references

    settings = using.read_settings(options, CopySettings)
    given = read_pairs(options.pairs, using.note)
    test = read_references(options.test, using.note) if options.test else []
    folder = find(options.checkpoint)
    checkpoint = checkpoints.load(folder)
    avoid = {sentence.name.lower() for sentence in named_sentences()}
    pairs = pairs_to_copy(given, settings, avoid)
    before = pairs_behind(folder, checkpoint)
    lost = [f"a gate trained on {before:,} pairs (now {len(pairs):,})"] if before > len(pairs) else []
    using.keep_better(folder / NAME, lost, options.force)
    plain = min(settings.plain, len(given))
    if len(pairs) < settings.named + settings.plain:
        wanted = f"fewer than --named {settings.named:,} and --plain {settings.plain:,}"
        using.note(f"{options.pairs.name}: {len(pairs) - plain:,} pairs with a name and {plain:,} others, {wanted}")
    trainer = CopyTrainer(checkpoint, pairs, settings)
    if trainer.skipped:
        using.note(f"{options.pairs.name}: {trainer.skipped:,} of {len(pairs):,} pairs left out, too long for the model")
    recent = 0.0
    with using.progress(len(trainer), "batch", "gate") as bar:
        for done, loss in enumerate(trainer, start=1):
            recent += (loss - recent) / min(done, 50)
            bar.update()
            bar.set_postfix_str(f"loss {recent:.3f}")
    using.write(folder / NAME, packed(trainer.pointer, checkpoint.digest, {**dataclasses.asdict(settings), "pairs": len(pairs)}))
    print(f"{len(pairs):,} pairs: {folder / NAME}", file=sys.stderr)
    _measure(checkpoint, trainer.pointer.eval().requires_grad_(False), test)


def _measure(checkpoint: Checkpoint, pointer: PointerGenerator, test: list[tuple[str, list[str]]]) -> None:
    from viz_core.analysis.unseen_names import LANGUAGE, copied, name_translations, named_sentences
    from viz_core.bleu import score
    from viz_core.decoding import translate

    if checkpoint.source_language == LANGUAGE:
        names = name_translations(checkpoint, pointer, named_sentences())
        right = (sum(name.in_plain for name in names), sum(name.in_copying for name in names))
        print(f"unseen names translated correctly: {right[0]} of {len(names)} without copying, {right[1]} with copying")
    if test:
        sources, references = [source for source, _ in test], [targets for _, targets in test]
        using.note_cut("--test", checkpoint, sources)
        plain = translate(checkpoint, sources)
        for name, answers in (("without", plain), ("with", copied(checkpoint, pointer, sources))):
            print(f"{name} copying: {score(answers, references, checkpoint.target_language)[0].format(width=2)}")
