"""Erasure: the drop in log-probability of each output token when a source word is removed."""

from __future__ import annotations

import torch
from torch import Tensor

from viz_core.analysis.words import groups
from viz_core.edits import site_edits
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.taps import Edit, Editor
from viz_core.trace import Doubles

POSITIONS = 1024  # of all sentences in one batch together, to bound the memory


@torch.inference_mode()
def prediction_difference(model: Transformer, ex: Explanation) -> Doubles:
    """Drop in log-probability of each output token without each source word, in nats.

    log p(y_t | y_<t, x) − log p(y_t | y_<t, x without the word): Li et al. 2019, "On the Word Alignment from Neural Machine
    Translation", who subtract probabilities; logarithms add up over the tokens of a word. A word is erased as there: the embeddings
    of its tokens become 0, the positions stay. Where either of two words would do, no single erasure shows it. Edits act as well.

    Returns:
        (T, source words), special tokens as words of their own, as in `groups(ex.source)`. Negative where the token gains.
    """
    words = groups(ex.source)[1]
    source, target = torch.tensor([ex.source.ids]), torch.tensor([ex.target.ids])
    written = torch.tensor([token.id for token in ex.output])
    at = torch.arange(len(written))
    mask = torch.ones(len(words), len(ex.source))  # (words, S)
    for row, tokens in zip(mask, words, strict=True):
        row[tokens] = 0.0
    without = []
    for part in mask.split(max(1, POSITIONS // (len(ex.source) + len(ex.target)))):
        tap = Editor({"source.embedding": _times(part[..., None])}, Editor(site_edits(ex.edits, model.config)))
        log_probs = model(source.expand(len(part), -1), target.expand(len(part), -1), tap)  # (n, T, V)
        without.append(log_probs[:, at, written])
    whole = ex.trace["output.log_probs"][0, at, written].double()  # (T,)
    losses: Doubles = (whole - torch.cat(without).double()).T.numpy()
    return losses


def _times(factor: Tensor) -> Edit:
    return lambda x: x * factor
