"""BLEU (Papineni et al. 2002) by sacrebleu (Post 2018), with as many references as each sentence has."""

import itertools
from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEU, BLEUScore

from viz_core.composed import composed

TOKENIZERS = {"zh": "zh"}
"""How sacrebleu splits the translations of a language; all others by 13a, which takes a Chinese clause for one word."""


def score(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], language: str, tokenizer: str | None = None
) -> tuple[BLEUScore, str]:
    """Corpus BLEU of composed texts, with sacrebleu's signature.

    Args:
        references: references[i] are all translations of sentence i, at least one.   language: of the translations.
        tokenizer: one of sacrebleu's, such as "none" for texts that are tokenized; None: the language's.
    """
    written, *expected = ([composed(text).text for text in each] for each in (hypotheses, *references))
    slots = [list(slot) for slot in itertools.zip_longest(*expected)]  # a sentence with fewer has None in the rest
    metric = BLEU(tokenize=tokenizer or TOKENIZERS.get(language, "13a"))
    result = metric.corpus_score(written, slots)
    return result, str(metric.get_signature())


def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]], language: str) -> BLEUScore:
    return score(hypotheses, references, language)[0]
