"""The numbers of the page “Why this word?”: where the logits come from, and sums over the tokens of a word."""

from collections.abc import Sequence

import numpy as np

from viz_core.analysis.logits import LogitAttribution, logit_attribution
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.trace import Doubles


def attributions(model: Transformer, explanation: Explanation, rivals: Sequence[int]) -> list[LogitAttribution]:
    """The sources of the logit of each step's token or, with rivals, of its lead over the step's rival."""
    against: Sequence[int | None] = rivals or [None] * len(explanation.steps)
    return [
        logit_attribution(model, explanation.trace, step.index, step.expected.id, rival)
        for step, rival in zip(explanation.steps, against, strict=True)
    ]


def sum_by_words(tokens: Doubles, positions: Sequence[Sequence[int]]) -> Doubles:
    """Scores of tokens, (…, S), summed over the tokens of each word, (…, K)."""
    return np.stack([tokens[..., columns].sum(-1) for columns in positions], axis=-1)
