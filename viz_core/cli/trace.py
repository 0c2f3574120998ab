"""python -m viz_core trace: every number of one pass, as a file.

The file is safetensors: each recorded tensor under its site's name, and in the header, under `trace`, JSON with the texts, words
and tokens, the steps, the shape of the model, and the axes of each tensor. If its name ends in .zip, it is what the app's
download gives: the same two as files of their own, and how to load them.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from viz_core.cli import using
from viz_core.composed import is_blank
from viz_core.errors import TextError
from viz_core.files import path, require_suffix
from viz_core.texts import fill, texts


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("trace", help="save every tensor of one pass", description=__doc__)
    using.add_checkpoint(parser)
    parser.add_argument("--text", required=True, help="what to translate")
    parser.add_argument("--target", help="what to feed the decoder; without it, the model's own translation")
    parser.add_argument("--out", type=path, required=True, help="file to write: .safetensors or .zip")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Explain the text and write the recorded tensors."""
    from viz_core import checkpoint as checkpoints
    from viz_core.explain import explain
    from viz_core.trace_file import tensors, zipped

    require_suffix(options.out, ".safetensors", ".zip")
    if options.target is not None and is_blank(options.target):
        raise TextError("--target has no word; without it, the model's own translation is traced")
    checkpoint = checkpoints.load(options.checkpoint)
    explanation = explain(checkpoint, options.text, options.target)
    for notice in explanation.notices:
        print("note: " + fill(texts("app.notices")[notice.code], notice.values), file=sys.stderr)
    out: Path = options.out
    content = zipped(checkpoint, explanation, out.name) if out.suffix.lower() == ".zip" else tensors(checkpoint, explanation)
    using.write(out, content)
    print(f"{explanation.text}\n{len(explanation.trace.tensors)} tensors, {len(content):,} bytes: {out}", file=sys.stderr)
