"""python -m viz_core evaluate: BLEU of a checkpoint on a file of sentence pairs."""

import argparse
import time
from typing import Any

from viz_core.cli import using
from viz_core.cli.using import one_line
from viz_core.files import ARCHIVES, ARRAYS, DOCUMENTS, TABLES, path, require_plain_name

CHUNK = 1024  # sentences between updates of the progress bar


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("evaluate", help="BLEU of a checkpoint", description=__doc__)
    using.add_checkpoint(parser)
    parser.add_argument(
        "--pairs", type=path, required=True, help="source, tab, reference; further references of a source on adjacent lines"
    )
    parser.add_argument("--out", type=path, help="output file for the translations, one per line, in the order of the sources")
    using.add_search(parser)
    parser.add_argument(
        "--tokenize",
        choices=("13a", "zh", "char", "none"),
        help="sacrebleu's tokenizer (default: zh for Chinese, else 13a)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Translate every source once and compare the translation with all its references."""
    from viz_core.bleu import score
    from viz_core.decoding import translate
    from viz_core.training.pair_file import read_references

    if options.out:
        require_plain_name(options.out, "plain text, one translation a line,", TABLES, DOCUMENTS, ARCHIVES, ARRAYS)
    pairs = read_references(options.pairs, using.note)
    checkpoint = using.load(options.checkpoint)
    sources, references = [source for source, _ in pairs], [targets for _, targets in pairs]
    how = using.search_options(options, checkpoint)
    using.note_cut(options.pairs.name, checkpoint, sources)
    hypotheses: list[str] = []
    start = time.perf_counter()
    with using.progress(len(sources), "sentence") as bar:
        for first in range(0, len(sources), CHUNK):
            chunk = sources[first : first + CHUNK]
            answers = translate(checkpoint, chunk, **how)
            hypotheses += map(one_line, answers)
            bar.update(len(chunk))
    seconds = time.perf_counter() - start
    bleu, signature = score(hypotheses, references, checkpoint.target_language, options.tokenize)
    print(bleu.format(width=2))
    print(signature)
    print(
        f"{len(sources):,} sentences, {sum(map(len, references)):,} references; "
        f"{seconds:.1f} s, {len(sources) / seconds:,.1f} sentences/s"
    )
    if options.out:  # last, so that no result is lost if writing fails
        using.write(options.out, "".join(line + "\n" for line in hypotheses).encode())
