"""BLEU (Papineni et al. 2002) by sacrebleu (Post 2018), with as many references as each sentence has."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEU, BLEUScore


def score(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[BLEUScore, str]:
    """Corpus BLEU with sacrebleu's signature; references[i] are all translations of sentence i, at least one."""
    slots = [list(slot) for slot in itertools.zip_longest(*references)]  # a sentence with fewer has None in the rest
    metric = BLEU()
    result = metric.corpus_score(list(hypotheses), slots)
    return result, str(metric.get_signature())


def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> BLEUScore:
    return score(hypotheses, references)[0]
