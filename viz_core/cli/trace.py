"""python -m viz_core trace: every number of one pass, as a file.

The file is safetensors: each recorded tensor under its site's name, and in the header, under `trace`, JSON with the texts, words
and pieces, the shape of the model, and the axes of each tensor.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz_core.cli import using
from viz_core.texts import fill, texts

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint
    from viz_core.explain import Explanation


def add_parser(commands: Any) -> None:
    """Adds the command."""
    parser = commands.add_parser("trace", help="save every tensor of one pass", description=__doc__)
    using.add_checkpoint(parser)
    parser.add_argument("--text", required=True, help="what to translate")
    parser.add_argument("--target", help="what to feed the decoder; without it, the model's own translation")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file to write")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Explains the text and writes what was recorded.

    Raises:
        VizError: the checkpoint or the text cannot be used, or --out cannot be written.
    """
    import safetensors.torch

    from viz_core import checkpoint as checkpoints
    from viz_core.explain import explain

    checkpoint = checkpoints.load(options.checkpoint)
    explanation = explain(checkpoint, options.text, options.target)
    for notice in explanation.notices:
        print("note: " + fill(texts("notices")[notice.code], notice.values), file=sys.stderr)
    # Some sites are views of one memory, which the format cannot hold.
    tensors = {site: tensor.contiguous().clone() for site, tensor in explanation.trace.tensors.items()}
    content = safetensors.torch.save(tensors, metadata={"trace": json.dumps(header(checkpoint, explanation), ensure_ascii=False)})
    using.write(options.out, content)
    print(f"{explanation.text}\n{len(tensors)} tensors, {len(content):,} bytes: {options.out}", file=sys.stderr)


def header(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """What one needs to read the tensors: whose pass it was, and what stands on each axis."""
    from viz_core.sites import sites

    return {
        "format": "viz_core trace",
        "version": 1,
        "checkpoint": {"name": checkpoint.name, "sha256": checkpoint.digest},
        "config": checkpoint.config.to_json(),
        "source": dataclasses.asdict(explanation.source),
        "target": dataclasses.asdict(explanation.target),
        "output": [dataclasses.asdict(piece) for piece in explanation.output],
        "text": explanation.text,
        "forced": explanation.forced,
        "axes": {name: site.axes for name, site in sites(checkpoint.config).items()},
    }
