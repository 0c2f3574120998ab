"""python -m viz_core translate: standard input to standard output, as many lines out as in."""

from __future__ import annotations

import argparse
import itertools
import sys
from typing import TYPE_CHECKING, Any

from viz_core.cli import using
from viz_core.cli.using import one_line
from viz_core.text_lines import text_lines

if TYPE_CHECKING:
    from viz_core.checkpoint import Checkpoint

CHUNK = 1024  # lines read at a time; they are translated in order of length


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("translate", help="translate standard input, line by line", description=__doc__)
    using.add_checkpoint(parser)
    using.add_search(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Translate until the input ends: line by line from a terminal, otherwise in chunks."""
    from viz_core.decoding import translate
    from viz_core.texts import fill
    from viz_core.texts import texts as words
    from viz_core.tokenizer import base

    checkpoint = using.load(options.checkpoint)
    how = using.search_options(options, checkpoint)
    lines = enumerate(text_lines(sys.stdin.buffer, "standard input", using.MAX_BYTES), start=1)
    printed, notices = set[str](), words("app.notices")
    size = 1 if sys.stdin.isatty() else CHUNK
    while chunk := list(itertools.islice(lines, size)):
        for number, (text, cut) in chunk:
            if note := _too_long(checkpoint, text, cut):
                print(f"line {number:,}: {note}", file=sys.stderr)
            if (wrong := base.problem(checkpoint.source_tokenizer.target_codes, text)) and wrong[0] not in printed:
                printed.add(wrong[0])
                print(f"line {number:,}: {fill(notices[wrong[0]], wrong[1])} Said once, for all such lines.", file=sys.stderr)
        texts = [text for _, (text, _) in chunk]
        answers = translate(checkpoint, texts, **how)
        sys.stdout.buffer.write("".join(one_line(answer) + "\n" for answer in answers).encode())
        sys.stdout.buffer.flush()


def _too_long(checkpoint: Checkpoint, text: str, cut: bool) -> str:
    from viz_core.decoding.translate import cut_length

    if tokens := cut_length(checkpoint, text):
        limit = checkpoint.config.longest_source
        return f"only the first {limit} of {'more than ' if cut else ''}{tokens:,} tokens are translated"
    return f"only the first {using.MAX_BYTES:,} bytes are translated" if cut else ""
