"""BLEU (Papineni et al. 2002) by sacrebleu (Post 2018), with as many references as each sentence has."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import sacrebleu
from sacrebleu.metrics.bleu import BLEUScore


def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> BLEUScore:
    """Corpus BLEU of the hypotheses; `references[i]` are all translations of sentence i, at least one."""
    slots = [list(slot) for slot in itertools.zip_longest(*references)]  # a sentence with fewer has None in the rest
    return sacrebleu.corpus_bleu(list(hypotheses), slots)
