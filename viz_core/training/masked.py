"""Loss of a conditional masked language model, which learns to fill masked positions (Ghazvininejad et al. 2019, §2)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from viz_core.config import MASK_ID, PAD_ID
from viz_core.model import Transformer
from viz_core.training.loss import smoothed_cross_entropy

LENGTH = 0.1  # share of the length's loss


class MaskedLoss(nn.Module):
    """The pass that is trained: a random share of the target is masked, and asked for."""

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, source: Tensor, read: Tensor, predict: Tensor) -> Tensor:
        """Ids as in `Batch`, (B, S), (B, T), (B, T) → the loss, in nats for each masked token, a scalar."""
        target = read[:, 1:]  # (B, N), N = T − 1
        memory, memory_mask = self.model.encode(source)  # (B, S, D), (B, 1, 1, S)
        given, hidden = masked(target)
        states = self.model.decode(given, memory, memory_mask)[hidden]  # (masked, D): the others need no logits
        tokens = smoothed_cross_entropy(self.model.generator.logits(states)[None], target[hidden][None], self.smoothing)
        lengths = (target != PAD_ID).sum(1)  # (B,)
        length = nn.functional.nll_loss(self.model.lengths(memory, memory_mask).float(), lengths)
        return tokens + LENGTH * length


def masked(target: Tensor) -> tuple[Tensor, Tensor]:
    """Mask n of each sentence's N tokens, n drawn from 1 … N, and which ones at random (§2.2).

    Args:
        target: ids, padded, (B, N).

    Returns:
        The ids with MASK_ID at the masked places, and True there, (B, N) each.
    """
    empty = target == PAD_ID
    lengths = (~empty).sum(1, keepdim=True)  # (B, 1)
    count = 1 + (torch.rand(lengths.shape, device=target.device) * lengths).long()
    drawn = torch.rand(target.shape, device=target.device).masked_fill(empty, 2.0)  # padding comes last
    hidden = drawn.argsort(1).argsort(1) < count
    return target.masked_fill(hidden, MASK_ID), hidden
