"""python -m viz_core heads: measure the role of every attention head of a checkpoint, and store the roles in heads.json.

Measures on the built-in sentences in the checkpoint's source language, or on those of --sentences. With translations (built-in, or
from --references) it also measures the importance of each head in BLEU.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from viz_core.catalog import find
from viz_core.cli import using
from viz_core.composed import is_blank
from viz_core.errors import CheckpointError, TextError
from viz_core.files import path
from viz_core.progress import Progress
from viz_core.text_lines import text_lines

T = TypeVar("T")
FEW = 50
"""Fewer sentences than these say little about a head."""

if TYPE_CHECKING:
    from viz_core.analysis.roles import HeadTable
    from viz_core.checkpoint import Checkpoint


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("heads", help="measure the role of every head", description=__doc__)
    parser.add_argument("checkpoint", help=using.MODEL)
    parser.add_argument(
        "--sentences", type=path, help="text file to measure on, one sentence per line, instead of the built-in ones"
    )
    parser.add_argument("--references", type=path, help="text file with the translation of each of these lines, for BLEU")
    parser.add_argument("--roles-only", action="store_true", help="do not measure the importance of each head, which takes minutes")
    using.add_force(parser, "heads.json")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Measure the heads, write heads.json, and print the roles."""
    from viz_core import checkpoint as checkpoints
    from viz_core.analysis.roles import measured
    from viz_core.analysis.roles.table import NAME, read, to_json

    if options.roles_only and options.references:
        raise TextError("--references is for the importance of the heads, which --roles-only leaves out")
    folder = find(options.checkpoint)
    checkpoint = checkpoints.load(folder)
    texts, references = _texts(checkpoint, options.sentences, options.references)
    with contextlib.suppress(CheckpointError):  # an unreadable file may be replaced
        old, _ = read(folder, checkpoint)
        using.keep_better(folder / NAME, _lost(old, len(texts), not options.roles_only, bool(references)), options.force)
    if len(texts) < FEW:
        using.note(f"roles measured on {len(texts):,} sentences may be chance; the shipped models are measured on 384")
    using.note_cut("sentences" if options.sentences is None else options.sentences.name, checkpoint, texts)
    table = _watched("roles", "sentence", partial(measured, checkpoint, texts))
    if not options.roles_only:
        table = _with_importance(table, checkpoint, texts, references)
    using.write(folder / NAME, to_json(table))
    print(_printed(table))
    print(f"{table.count:,} sentences: {folder / NAME}", file=sys.stderr)


def _lost(old: HeadTable | None, sentences: int, importance: bool, bleu: bool) -> list[str]:
    """The parts of a stored table that the new one will lack."""
    if old is None:
        return []
    lost = [f"roles measured on {old.count:,} sentences (now {sentences:,})"] if old.count > sentences else []
    if old.importance and not importance:
        lost.append("the importance of the heads")
    elif old.importance and old.importance.bleu and not bleu:
        lost.append("the importance of the heads in BLEU")
    return lost


def _with_importance(table: HeadTable, checkpoint: Checkpoint, texts: list[str], references: list[str]) -> HeadTable:
    from viz_core.analysis.roles.importance import bleu_drops, log_prob_drops
    from viz_core.analysis.roles.table import HeadImportance

    log_prob = _watched("log-probability", "sentence", partial(log_prob_drops, checkpoint, texts))
    if not references:
        using.note("there are no translations of these sentences, so BLEU is not measured; see --references")
    bleu = _watched("BLEU", "decoding", partial(bleu_drops, checkpoint, texts, references)) if references else None
    return dataclasses.replace(table, importance=HeadImportance(log_prob, len(texts), bleu))


def _texts(checkpoint: Checkpoint, sentences: Path | None, references: Path | None) -> tuple[list[str], list[str]]:
    """The texts to measure on, none of them blank, and their translations, if known."""
    from viz_core.analysis import roles

    if sentences:
        texts, translations = _lines(sentences), []
    else:
        texts, translations = roles.sentences(checkpoint.source_language), roles.sentences(checkpoint.target_language)
    if references:
        translations = _lines(references)
    if not texts:
        raise TextError(f"there are no built-in sentences in {checkpoint.source_language!r}; pass some with --sentences")
    if translations and len(translations) != len(texts):
        raise TextError(f"{references}: {len(translations):,} lines, expected {len(texts):,}, one for each sentence")
    filled = [index for index, text in enumerate(texts) if not is_blank(text)]
    return [texts[index] for index in filled], [translations[index] for index in filled if translations]


def _lines(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            lines = [text.rstrip("\r") for text, _ in text_lines(file, str(path), using.MAX_BYTES)]
    except OSError as error:
        raise TextError(f"{path}: cannot be read ({error.strerror})") from error
    if all(map(is_blank, lines)):
        raise TextError(f"{path}: the file contains no words")
    return lines


def _watched(name: str, unit: str, measure: Callable[[Progress], T]) -> T:
    """A measurement's result, with a progress bar while it runs."""
    with using.progress(None, unit, name) as bar:

        def report(done: int, total: int | None) -> None:
            bar.total = total
            bar.update(done - bar.n)

        return measure(report)


def _printed(table: HeadTable) -> str:
    """The roles of each attention, one row per layer."""
    from viz_core.analysis.roles.rule import named
    from viz_core.texts import texts

    lines = []
    for kind, heads in table.kinds.items():
        lines.append(texts("edits")["part"][kind])
        for layer, roles in enumerate(heads.roles, start=1):
            lines.append(f"  {layer:2}  " + "  ".join(f"{named(kind, role):12}" for role in roles).rstrip())
    return "\n".join(lines)
