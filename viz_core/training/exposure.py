"""How well a model writes on when it reads its own words, against when it reads the right ones: exposure bias, measured.

Whole sentences cannot tell: greedy decoding writes a sentence right exactly if each of its pieces is the most probable one with the
right words to read. So pieces are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from viz_core.config import EOS_ID, PAD_ID
from viz_core.model import Transformer
from viz_core.model.masks import pad
from viz_core.training.batches import Batch


@torch.inference_mode()
def pieces_right(model: Transformer, batch: Batch, written: Sequence[Sequence[int]]) -> tuple[float, float]:
    """Share of the pieces, the end among them, that are right at their place: with teacher forcing, and in what was written freely.

    Args:
        written: greedily, of each sentence of the batch, without special pieces.
    """
    real = batch.predict != PAD_ID  # (B, T)
    forced = model.generator.logits(model.states(batch.source, batch.read)).argmax(-1)  # (B, T)
    width = real.size(1)
    free = pad([[*row, EOS_ID, *[PAD_ID] * width][:width] for row in written])  # (B, T)
    return tuple(float((ids == batch.predict)[real].float().mean()) for ids in (forced, free))  # type: ignore[return-value]
