"""Payload of the next-token distribution: the logits of the whole vocabulary at every step, for a softmax at any temperature.

Always float32, however long the sentence (8,000 tokens: 32 kB a step, 4.1 MB at 128 steps): float16 has three digits, which at
T = 0.1 would be wrong by several percent, and the softmax needs the sum over all tokens, not over a shortlist.
"""

from __future__ import annotations

import numpy as np

from viz_core.analysis.next_token import logit_limits, top_ids, vocabulary_label
from viz_core.browser.pack import pack
from viz_core.explain import ExplainedStep, Explanation
from viz_core.texts import texts, visible
from viz_core.tokenizer import Tokenizer

MOST = 20
"""Labelled tokens per step; their order does not change with the temperature."""


def next_token_payload(explanation: Explanation, tokenizer: Tokenizer) -> bytes:
    """K = min(MOST, V) candidates a step, most probable first, and behind them the token that stands there.

    Tensors: logits (T, V); ids (T, K + 1); log_probs (T, K + 1) of these as recorded, so that at T = 1 the number read is the
    recorded one; before (T, K + 1), the same tokens one step before, NaN at the first step; ranks (T,) of what stands there.
    """
    logits, log_probs = explanation.trace.array("output.logits"), explanation.trace.array("output.log_probs")
    ids = np.array([candidates(step) for step in explanation.steps], np.int32)
    at = np.arange(len(ids))[:, None]
    before = np.full(ids.shape, np.nan, np.float32)
    before[1:] = log_probs[at[:-1], ids[1:]]
    ranks = np.array([step.rank(step.expected.id) for step in explanation.steps], np.int32)
    tensors = {"logits": logits, "ids": ids, "log_probs": log_probs[at, ids], "before": before, "ranks": ranks}
    about = {
        "labels": {int(i): visible(vocabulary_label(tokenizer, int(i))) for i in np.unique(ids)},
        "tokens": [visible(token.text) for token in explanation.output],
        "written": written(explanation),
        "limits": logit_limits(explanation.trace),
        "given_target": explanation.given_target,
        "texts": texts("browser.next_token"),
    }
    return pack(tensors, about)


def written(explanation: Explanation) -> list[str]:
    """The translation between the starts of its tokens: the first n + 1 of these are what stands there when token n comes."""
    text, starts = explanation.text, [token.start for token in explanation.output]
    return [visible(text[start:end]) for start, end in zip([0, *starts], [*starts, len(text)], strict=True)]


def candidates(step: ExplainedStep) -> list[int]:
    """The ids of the K most probable tokens, equal ones by id, then what stands there."""
    return [*top_ids(step.log_probs, MOST), step.expected.id]
