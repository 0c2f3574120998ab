"""Payloads of the output: the next-token distributions of one explanation, and the comparison of two.

Next token: the logits of the whole vocabulary at every step, for a softmax at any temperature. They are always float32, however
long the sentence (8,000 tokens: 32 kB a step, 4.1 MB at 128 steps): float16 has three digits, an error of several percent at T =
0.1, and the softmax needs the sum over all tokens, not over a shortlist.

Comparison: two outputs, both next-token distributions at every step, and the divergence between them. If both sides have the same
output, so that every step has the same prefix, they are compared token by token; otherwise each side shows its own output.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.divergence import Comparison, word_runs
from viz_core.analysis.next_token import LogitTerms, rest_of, top_ids, vocabulary_label
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import ExplainedStep, Explanation
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array

MOST = 20
"""Labelled tokens per step; their order does not change with the temperature."""
TOP = 5
"""Bars per step and side."""
TERMS = 2
"""Tokens whose terms of a divergence are written out."""
Ids = npt.NDArray[np.int64]


def next_token_payload(explanation: Explanation, tokenizer: Tokenizer, terms: LogitTerms | None = None) -> bytes:
    """K = min(MOST, V) candidates a step, most probable first, followed by the actual next token.

    Tensors: logits (T, V); ids (T, K + 1); log_probs (T, K + 1) of these, as recorded, so that the number shown at temperature
    1 is the recorded one. With terms, the n largest products that make up each candidate's logit, as places (dimensions from 0),
    states and weights, their two factors, (T, K + 1, n); others, the sum of all other products, and biases, if the model has
    any, (T, K + 1).
    """
    logits, log_probs = explanation.trace.array("output.logits"), explanation.trace.array("output.log_probs")
    ids = np.array([candidates(step) for step in explanation.steps], np.int32)
    steps = np.arange(len(ids))[:, None]
    tensors = {"logits": logits, "ids": ids, "log_probs": log_probs[steps, ids]}
    if terms:
        floats: dict[str, npt.NDArray[Any]] = {"states": terms.states, "weights": terms.weights, "others": terms.others}
        floats |= {} if terms.biases is None else {"biases": terms.biases}
        tensors |= {"places": terms.dims.astype(np.int32), **{name: array.astype(np.float32) for name, array in floats.items()}}
    about = {
        "labels": {int(i): visible(vocabulary_label(tokenizer, int(i))) for i in np.unique(ids)},
        "tokens": [visible(token.text) for token in explanation.output],
        "chosen": [visible(step.chosen.text) for step in explanation.steps],
        "written": written(explanation),
        "given_target": explanation.given_target,
    }
    return pack(tensors, about)


def written(explanation: Explanation) -> list[str]:
    """The translation cut at the starts of its tokens: the first n + 1 pieces are the text before token n."""
    text, starts = explanation.text, [token.start for token in explanation.output]
    return [visible(text[start:end]) for start, end in zip([0, *starts], [*starts, len(text)], strict=True)]


def candidates(step: ExplainedStep) -> list[int]:
    """The ids of the K most probable tokens, equal ones by id, then the actual next token's."""
    return [*top_ids(step.log_probs, MOST), step.expected.id]


@dataclass(frozen=True, eq=False)
class Side:
    """One of two models, or one of two sentences.

    Attributes:
        name: its title, such as `as trained`.
        details: sentences below the title.
    """

    name: str
    explanation: Explanation
    checkpoint: Checkpoint
    details: tuple[str, ...] = ()


def comparison_payload(left: Side, right: Side, diff: Comparison | None = None) -> bytes:
    """Both sides at all steps: T on the left, and on the right as many if they are compared, else its own number.

    Tensors, K = min(TOP, V): left_ids and right_ids (T, K + 1), the most probable tokens, followed by the one in the output;
    left_own and right_own (T, K + 1), ln p of these on their own side, as recorded; if compared, left_other and right_other
    (T, K + 1), ln p of the same tokens on the other side, and divergence (T,), KL(left ‖ right) in bits, with the tokens of its
    largest terms, term_ids (T, TERMS), and their probabilities on both sides, terms (T, TERMS, 2). …_own_rest and …_other_rest
    (T,): the probability of all other tokens.

    Args:
        diff: from `viz_core.analysis.divergence`, with `left.explanation` as the one before; None if the outputs differ.
    """
    words = diff.words if diff else word_runs(*([word.text for word in side.explanation.target.words] for side in (left, right)))
    marks = [not run.same for run in words for _ in run.before], [not run.same for run in words for _ in run.after]
    tensors: dict[str, npt.NDArray[Any]] = {}
    if diff:
        both = (diff.before, diff.output), (diff.after, diff.output)
        tensors["divergence"] = diff.divergence.astype(np.float32)
    else:
        both = _recorded(left.explanation), _recorded(right.explanation)
    rows = [log_probs for log_probs, _ in both]
    ids = [np.array([[*top_ids(row, TOP), i] for row, i in zip(log_probs, output, strict=True)]) for log_probs, output in both]
    for name, own, other, top in (("left", rows[0], rows[1], ids[0]), ("right", rows[1], rows[0], ids[1])):
        tensors[f"{name}_ids"] = top.astype(np.int32)
        for whose, log_probs in (("own", own), *([("other", other)] if diff else [])):
            tensors[f"{name}_{whose}"] = np.take_along_axis(log_probs, top, 1)
            tensors[f"{name}_{whose}_rest"] = np.array([rest_of(*step) for step in zip(log_probs, top, strict=True)], np.float32)
    named = ids
    if diff:
        largest = [diff.largest_terms(step, TERMS) for step in range(len(diff.output))]
        tensors["term_ids"] = np.array([[term.id for term in terms] for terms in largest], np.int32)
        tensors["terms"] = np.array([[(term.before, term.after) for term in terms] for terms in largest])
        named = [np.concatenate([ids[0], tensors["term_ids"]], 1), ids[1]]
    about = {
        "sides": [_side(*arguments) for arguments in zip((left, right), named, marks, strict=True)],
        "compared": diff is not None,
        "written": written(left.explanation),
    }
    return pack(tensors, about)


def _recorded(explanation: Explanation) -> tuple[Array, Ids]:
    """The log-probabilities of the whole vocabulary at each step, and the ids of the output."""
    return explanation.trace.array("output.log_probs"), np.array([token.id for token in explanation.output])


def _side(side: Side, ids: Ids, changed: Sequence[bool]) -> dict[str, Any]:
    """One side. tokens: [text, kind] of the token written at each step; the kind is `special`, `changed` (its word differs) or "".

    A text begins with a space if the translation has one there.
    """
    tokens = []
    for token in side.explanation.output:
        blank = " " if token.word is None or side.explanation.text[: token.start][-1:].isspace() else ""
        what = "special" if token.word is None else "changed" if changed[token.word] else ""
        tokens.append((blank + visible(token.text), what))
    return {
        "name": side.name,
        "details": [visible(sentence) for sentence in side.details],
        "language": side.checkpoint.target_language,
        "vocabulary": side.explanation.trace.config.target_vocab,
        "tokens": tokens,
        "labels": {i: visible(vocabulary_label(side.checkpoint.tokenizer, i)) for i in np.unique(ids).tolist()},
    }
