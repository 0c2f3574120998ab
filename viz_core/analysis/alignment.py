"""Word alignment: the source word of each output word, read from cross attention, and its agreement with erasure."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from viz_core.analysis.words import by_words, groups
from viz_core.edits import site_edits
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.progress import Progress, counted
from viz_core.taps import Edit, Editor
from viz_core.trace import Doubles
from viz_core.words import TokenizedText

Floats = npt.NDArray[np.floating[Any]]
Integers = npt.NDArray[np.int64]

LEAST = 0.5
"""Nats. A word that loses less, whichever source word is erased, follows from the words before it and has no counterpart."""


@dataclass(frozen=True, eq=False)
class Sides:
    """The words of both sentences that can be aligned, with the positions of their tokens.

    Attributes:
        source: without ⟨/s⟩.   source_tokens: in the same order, then the special tokens, K groups.
        output: W words.   output_tokens: W groups.
    """

    source: tuple[str, ...]
    source_tokens: list[list[int]]
    output: tuple[str, ...]
    output_tokens: list[list[int]]


def sides(ex: Explanation) -> Sides:
    source, source_tokens = groups(ex.source)
    words = sum(ex.source.tokens[tokens[0]].word is not None for tokens in source_tokens)
    written = TokenizedText(ex.target.text, ex.target.words, ex.output)
    output = [(word, tokens) for word, tokens in zip(*groups(written), strict=True) if ex.output[tokens[0]].word is not None]
    return Sides(tuple(source[:words]), source_tokens, tuple(word for word, _ in output), [tokens for _, tokens in output])


def word_losses(model: Transformer, ex: Explanation, progress: Progress | None = None) -> Doubles:
    """Drop in log-probability of each output word, in nats, when one source word is erased (see `prediction_difference`), (W, K).

    The reference for attention, since it comes from the model's output alone. Not a gold alignment.
    """
    losses, words = prediction_difference(model, ex, progress), sides(ex).output_tokens
    return np.stack([losses[tokens].sum(0) for tokens in words]) if words else np.zeros((0, losses.shape[1]))


def word_attention(ex: Explanation) -> Floats:
    """Cross attention between words for every layer and head, as in `by_words`, (L, h, W, K).

    An output token's row is the one that predicts it (Garg et al. 2019), not the one that reads it (Chen et al. 2020), which worked
    better in other models: in the shipped one, the best head agrees with erasure on 62 % of the words, against 26 %.
    """
    both, trace = sides(ex), ex.trace
    weights = np.stack([block.weights for block in trace.attentions("cross")])  # (L, h, T, S)
    if not both.output:
        return np.zeros((*weights.shape[:2], 0, len(both.source_tokens)))
    return by_words(weights, both.output_tokens, both.source_tokens)


def agreement(strengths: Floats, losses: Floats, words: int) -> tuple[Integers, int]:
    """Number of words aligned with the source word whose erasure costs them most, and number of words that count.

    To pool sentences, add up both numbers. The baseline is a diagonal, `np.eye(W, K)`: 44 % with the shipped model.

    Args:
        strengths: (…, W, K), such as all heads of `word_attention`, or their mean over a layer.
        losses: from `word_losses`, (W, K).
        words: how many of the K are words.

    Returns:
        (…,) and a number. A word aligned with a special token does not agree; one that loses less than LEAST does not count.
    """
    counts = losses[:, :words].max(-1, initial=0.0) >= LEAST  # (W,)
    agreed: Integers = ((strengths.argmax(-1) == losses[:, :words].argmax(-1)) & counts).sum(-1)
    return agreed, int(counts.sum())


POSITIONS = 1024  # of all sentences in one batch together, to bound the memory


@torch.inference_mode()
def prediction_difference(model: Transformer, ex: Explanation, progress: Progress | None = None) -> Doubles:
    """Drop in log-probability of each output token without each source word, in nats.

    log p(y_t | y_<t, x) − log p(y_t | y_<t, x without the word): Li et al. 2019, "On the Word Alignment from Neural Machine
    Translation", who subtract probabilities; logarithms add up over the tokens of a word. As there, erasing a word sets the
    embeddings of its tokens to 0 and keeps their positions. Where either of two words is enough, no single erasure shows it. Edits
    apply.

    Returns:
        (T, source words), special tokens as words of their own, as in `groups(ex.source)`. Negative where the token gains.
    """
    words = groups(ex.source)[1]
    source, target = torch.tensor([ex.source.ids]), torch.tensor([ex.target.ids])
    written = torch.tensor([token.id for token in ex.output])
    steps = torch.arange(len(written))
    mask = torch.ones(len(words), len(ex.source))  # (words, S)
    for row, tokens in zip(mask, words, strict=True):
        row[tokens] = 0.0
    without = []
    for part in counted(mask.split(max(1, POSITIONS // (len(ex.source) + len(ex.target)))), progress):
        tap = Editor({"source.embedding": _times(part[..., None])}, Editor(site_edits(ex.edits, model.config)))
        log_probs = model(source.expand(len(part), -1), target.expand(len(part), -1), tap)  # (n, T, V)
        without.append(log_probs[:, steps, written])
    whole = ex.trace["output.log_probs"][0, steps, written].double()  # (T,)
    losses: Doubles = (whole - torch.cat(without).double()).T.numpy()
    return losses


def _times(factor: Tensor) -> Edit:
    return lambda x: x * factor
