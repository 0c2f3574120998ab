"""BLEU (Papineni et al. 2002) by sacrebleu (Post 2018), with as many references as each sentence has."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from viz_core.composed import composed

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEUScore

TOKENIZERS = {"zh": "zh"}
"""sacrebleu's tokenizer by language. Others use 13a, which would take a Chinese clause for one word."""


def score(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], language: str, tokenizer: str | None = None
) -> tuple[BLEUScore, str]:
    """Corpus BLEU of composed texts, with sacrebleu's signature.

    Args:
        references: references[i] holds all translations of sentence i, at least one.   language: of the translations.
        tokenizer: one of sacrebleu's, such as "none" for texts that are already tokenized; None: the language's.
    """
    from sacrebleu.metrics.bleu import BLEU  # takes tenths of a second, and few need it

    written, *expected = ([composed(text).text for text in texts] for texts in (hypotheses, *references))
    slots = [list(slot) for slot in itertools.zip_longest(*expected)]  # a sentence with fewer has None in the rest
    metric = BLEU(tokenize=tokenizer or TOKENIZERS.get(language, "13a"))
    result = metric.corpus_score(written, slots)
    return result, str(metric.get_signature())


def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]], language: str) -> BLEUScore:
    return score(hypotheses, references, language)[0]
