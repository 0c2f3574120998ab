"""python -m viz_core passes: measure a masked decoder by number of passes, beside an autoregressive one."""

import argparse
import contextlib
import sys
from typing import Any

from viz_core.catalog import find
from viz_core.cli import using
from viz_core.errors import CheckpointError
from viz_core.files import path


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("passes", help="measure a masked decoder by number of passes", description=__doc__)
    using.add_checkpoint(parser)
    parser.add_argument("--beside", required=True, help="autoregressive checkpoint of the same shape, by name or path")
    parser.add_argument("--pairs", type=path, required=True, help="as for evaluate")
    using.add_force(parser, "passes.json")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Measure the decoder, and write passes.json into the checkpoint's folder."""
    from viz_core import checkpoint as checkpoints
    from viz_core.analysis import mask_predict_quality
    from viz_core.training.pair_file import read_references

    sources, references = zip(*read_references(options.pairs, using.note), strict=True)
    folder = find(options.checkpoint)
    masked, beside = checkpoints.load(folder, "masked"), checkpoints.load(options.beside)
    with contextlib.suppress(CheckpointError):  # an unreadable file may be replaced
        old = mask_predict_quality.read(folder, masked)
        lost = [f"a measurement on {old.sentences:,} sentences"] if old and old.sentences > len(sources) else []
        using.keep_better(folder / mask_predict_quality.NAME, lost, options.force)
    using.note_cut(options.pairs.name, masked, sources)
    plain = mask_predict_quality.quality(beside, sources, references)
    _print(beside.name, plain)
    by_count = {}
    for count in mask_predict_quality.TRIED:
        by_count[count] = mask_predict_quality.quality(masked, sources, references, iterations=count)
        _print(f"{count} passes", by_count[count])
    measured = mask_predict_quality.PassQuality(masked.digest, len(sources), by_count, beside.name, plain)
    using.write(folder / mask_predict_quality.NAME, mask_predict_quality.to_json(measured))


def _print(name: str, quality: Any) -> None:
    print(f"{name:20} BLEU {quality.bleu:5.2f}   repeated {100 * quality.repeated:5.2f} %", file=sys.stderr)
