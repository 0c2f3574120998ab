"""Guided attention loss (Tachibana et al. 2018, §3.2): a penalty on attention far from the diagonal."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from viz_core.trace import Array

WIDTH = 0.2  # g of the paper: how far from the diagonal an attention may be before it is dear


def penalty(targets: Tensor, sources: Tensor, width: float = WIDTH) -> Tensor:
    """W[t, s] = 1 − exp(−(t/T − s/S)² / (2 g²)), with t and s from 1, so that the two ends meet at 0.

    Args:
        targets, sources: the length of each sentence, T and S, (B,).   width: g.

    Returns:
        (B, longest T, longest S), each in 0 … 1; 0 beyond the end of a sentence.
    """
    down = torch.arange(1, int(targets.max()) + 1)[:, None] / targets[:, None, None]  # t/T, (B, T, 1)
    across = torch.arange(1, int(sources.max()) + 1) / sources[:, None, None]  # s/S, (B, 1, S)
    real = (down <= 1) & (across <= 1)
    return torch.where(real, 1 - torch.exp(-((down - across) ** 2) / (2 * width**2)), 0.0)


def guided_loss(weights: Sequence[Tensor], targets: Tensor, sources: Tensor) -> Tensor:
    """Mean over all layers, heads and real target positions of Σ_s A[t, s] · W[t, s], in 0 … 1, a scalar.

    The paper also divides by S, the source positions; here long sentences weigh as much as short ones.

    Args:
        weights: cross attention of each layer, (B, h, T, S); 0 at padding.
        targets, sources: as in `penalty`.
    """
    cost = penalty(targets, sources)[:, None]  # (B, 1, T, S)
    heads = weights[0].size(1)
    paid = sum((each * cost).sum() for each in weights) / (len(weights) * heads * targets.sum())
    return torch.as_tensor(paid)


def penalty_matrix(target: int, source: int, width: float = WIDTH) -> Array:
    """W of one sentence of these lengths, (T, S)."""
    cost: Array = penalty(torch.tensor([target]), torch.tensor([source]), width)[0].numpy()
    return cost


def row_penalties(weights: Array, cost: Array) -> Array:
    """Σ_s A[t, s] · W[t, s] of each row: (…, T, S) and (T, S) → (…, T), each in 0 … 1."""
    paid: Array = (weights * cost).sum(-1)
    return paid
