"""Label smoothing against the sum that defines it."""

from __future__ import annotations

import pytest
import torch

from viz_core.config import PAD_ID
from viz_core.training.loss import smoothed_cross_entropy

LOGITS = torch.randn(2, 3, 7, generator=torch.Generator().manual_seed(0))
PREDICT = torch.tensor([[4, 6, 2], [5, 2, PAD_ID]])


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_equals_the_explicit_sum(smoothing: float) -> None:
    terms = []
    for logits, ids in zip(LOGITS.double(), PREDICT.tolist(), strict=True):
        for row, i in zip(logits, ids, strict=True):
            if i != PAD_ID:
                q = torch.full((7,), smoothing / 7, dtype=torch.float64)
                q[i] += 1 - smoothing
                terms.append(-(q * row.log_softmax(-1)).sum())
    assert smoothed_cross_entropy(LOGITS, PREDICT, smoothing) == pytest.approx(float(sum(terms) / len(terms)), rel=1e-6)


def test_padding_counts_for_nothing() -> None:
    changed = LOGITS.clone()
    changed[1, 2] = 50.0
    assert torch.equal(smoothed_cross_entropy(LOGITS, PREDICT, 0.1), smoothed_cross_entropy(changed, PREDICT, 0.1))


def test_half_precision_logits_are_summed_in_full() -> None:
    assert smoothed_cross_entropy(LOGITS.bfloat16(), PREDICT, 0.1).dtype == torch.float32
