"""Measures the heads of a checkpoint over many sentences, batch by batch.

Line i of `viz_core/analysis/sentences/<language>.txt` is the same sentence in every language. No model was trained on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from viz_core.analysis.roles.rule import assign
from viz_core.analysis.roles.table import SHARES, Heads, HeadTable
from viz_core.analysis.roles.tally import Tally
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.decoding import greedy, max_steps
from viz_core.errors import TextError
from viz_core.explain import MAX_CHARACTERS, decoder_reads, framed, traced_pass
from viz_core.model.embedding import pad
from viz_core.progress import Progress
from viz_core.trace import Array, Kind, Trace, heads_shape
from viz_core.words import TokenizedText

FOLDER = Path(__file__).parents[1] / "sentences"
BATCH = 32  # sentences in one pass


@dataclass(frozen=True, eq=False)
class TracedSentence:
    """One sentence, without padding, with its own greedy translation.

    Attributes:
        sides: queries and keys of each attention. A query of cross attention is labelled with the token that its row predicts.
        weights: of all layers and heads, (L, h, Tq, Tk).
    """

    index: int
    sides: Mapping[Kind, tuple[TokenizedText, TokenizedText]]
    weights: Mapping[Kind, Array]


def sentences(language: str) -> list[str]:
    """The built-in sentences in a language; empty if there are none."""
    path = FOLDER / f"{language}.txt"
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def traced_sentences(checkpoint: Checkpoint, texts: Sequence[str]) -> Iterator[list[TracedSentence]]:
    """Translates and traces the texts, a batch at a time, short ones first; blank ones are left out, long ones cut.

    Raises:
        TextError: none of the texts contains a word.
    """
    limit = checkpoint.config.longest_source
    encoded = [checkpoint.encode(text, "source") for text in texts]
    order = sorted((i for i, tokenized in enumerate(encoded) if tokenized.tokens), key=lambda i: len(encoded[i]))
    if not order:
        raise TextError("There is no word in these sentences; heads cannot be measured on them.")
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        sources = [framed(checkpoint, replace(encoded[i], tokens=encoded[i].tokens[:limit])) for i in rows]
        outputs = _written(checkpoint, sources)
        targets = [decoder_reads(checkpoint, output) for output in outputs]
        trace = traced_pass(checkpoint, [tokenized.ids for tokenized in sources], [target.ids for target in targets])
        yield [_reading(i, row, sources[row], targets[row], outputs[row], trace) for row, i in enumerate(rows)]


def _written(checkpoint: Checkpoint, sources: Sequence[TokenizedText]) -> list[TokenizedText]:
    """The model's output for each source, ending in ⟨/s⟩ unless cut off."""
    most = [max_steps(checkpoint.config, len(tokenized)) for tokenized in sources]
    config = checkpoint.config
    answers = greedy(checkpoint.model, pad([tokenized.ids for tokenized in sources], config.pad_id), max(most))
    whole = [[*answer, config.eos_id][:steps] for answer, steps in zip(answers, most, strict=True)]
    return [checkpoint.tokenizer.read(ids, checkpoint.target_language) for ids in whole]


def _reading(
    index: int, row: int, source: TokenizedText, target: TokenizedText, output: TokenizedText, trace: Trace
) -> TracedSentence:
    sides: dict[Kind, tuple[TokenizedText, TokenizedText]] = {
        "self": (source, source),
        "masked": (target, target),
        "cross": (output, source),
    }
    weights = {
        kind: np.stack([block.weights[:, : len(queries), : len(keys)] for block in trace.attentions(kind, row)])
        for kind, (queries, keys) in sides.items()
    }
    return TracedSentence(index, sides, weights)


def measured(checkpoint: Checkpoint, texts: Sequence[str], progress: Progress | None = None) -> HeadTable:
    """Every head, measured on these texts in the checkpoint's source language; blank ones are left out.

    Raises:
        TextError: none of the texts contains a word.
    """
    filled = [text[:MAX_CHARACTERS] for text in texts if not is_blank(text)]
    languages = {"masked": checkpoint.target_language}
    tallies = {
        kind: Tally(
            kind, heads_shape(checkpoint.config, kind), checkpoint.config.max_len, languages.get(kind, checkpoint.source_language)
        )
        for kind in SHARES
    }
    done = 0
    for read in traced_sentences(checkpoint, filled):
        for reading in read:
            for kind, tally in tallies.items():
                tally.add(reading.index, *reading.sides[kind], reading.weights[kind])
        done += len(read)
        if progress:
            progress(done, len(filled))
    kinds = {}
    for kind, tally in tallies.items():
        measures = tally.measures()
        roles = assign(measures, SHARES[kind], tally.shape)
        kinds[kind] = Heads(measures, roles, tally.evidence(roles, dict(enumerate(filled))))
    return HeadTable(checkpoint.digest, done, kinds)
