"""Padding and masks: True where a query may look. Booleans, so that no −1e9 ever meets a half-precision number."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from viz_core.config import PAD_ID


def pad(rows: Sequence[Sequence[int]]) -> Tensor:
    """Ids of unequal length as one matrix, (B, longest), filled up with PAD_ID at the end."""
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (width - len(row))] for row in rows])


def padding_mask(ids: Tensor) -> Tensor:
    """True at real tokens, False at padding.

    Args:
        ids: token ids, (B, Tk).

    Returns:
        (B, 1, 1, Tk): every query of every head may look at the same keys.
    """
    return (ids != PAD_ID)[:, None, None, :]


def causal_mask(length: int, device: torch.device | None = None) -> Tensor:
    """True at keys no later than the query (§3.2.3).

    Returns:
        (1, 1, T, T), lower triangular.
    """
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()[None, None]
