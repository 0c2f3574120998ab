"""Which head of one sentence shows something at first sight: most heads of a trained model do not (Voita et al. 2019, §5)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from viz_core.explain import Explanation
from viz_core.trace import Kind


def telling_head(explanation: Explanation, kind: Kind) -> tuple[int, int]:
    """Layer and head, from 0, with the clearest pattern in this sentence.

    Of self-attention and masked attention the pattern is the previous token, as a mean over all rows but the first; of cross
    attention the source token that all heads together look at most, as a mean over all rows. The browser says the same numbers,
    see `browser/attention_view/pattern.ts`. Derived.
    """
    found = pattern_shares(explanation, kind)
    layer, head = np.unravel_index(found.argmax(), found.shape)
    return int(layer), int(head)


def pattern_shares(explanation: Explanation, kind: Kind) -> npt.NDArray[np.floating]:
    """How clearly each head shows the pattern of its attention, 0…1, (layers, heads)."""
    weights = np.stack([block.weights for block in explanation.trace.attentions(kind)])
    queries = np.arange(weights.shape[2])
    if kind == "cross":
        return weights[:, :, queries, weights.mean((0, 1)).argmax(-1)].mean(-1)
    if len(queries) < 2:
        return weights[:, :, 0, 0]
    return weights[:, :, queries[1:], queries[:-1]].mean(-1)
