"""Integrated gradients against the same integral taken point by point in float64, for every kind of small model."""

import copy

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.analysis.conftest import explained
from tests.conftest import Traced
from viz_core.analysis.integrated_gradients import integrated_gradients, integrated_gradients_of_all
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Sublayer
from viz_core.explain import Explanation
from viz_core.model import Transformer
from viz_core.model.embedding import causal_mask

STEP, TOKEN = 3, 345


def slowly(model: Transformer, ex: Explanation, points: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Attributions of source and target by the trapezoid rule, one point at a time, and the values at both ends."""
    exact = copy.deepcopy(model).double().requires_grad_(True)
    s, t = exact.source_embedding, exact.target_embedding
    ends = [s.weight[ex.source.ids] * s.scale, t.weight[ex.target.ids] * t.scale]
    starts = [torch.zeros_like(end) for end in ends]
    starts[0][-1], starts[1][0] = ends[0][-1], ends[1][0]  # ⟨/s⟩ and ⟨s⟩ stay
    starts, ends = [start.detach() for start in starts], [end.detach() for end in ends]

    def log_prob(x: Tensor, y: Tensor) -> Tensor:
        mask = torch.ones(1, 1, 1, len(ex.source), dtype=torch.bool)
        memory = exact.encoder((x + s.positions[: len(x)])[None], mask)
        states = exact.decoder((y + t.positions[: len(y)])[None], memory, causal_mask(len(ex.target)), mask)
        return exact.generator(states)[0, STEP, TOKEN]

    sums = [torch.zeros(len(ex.source)), torch.zeros(len(ex.target))]
    for n in range(points + 1):
        path = [(a + n / points * (b - a)).requires_grad_() for a, b in zip(starts, ends, strict=True)]
        slopes = torch.autograd.grad(log_prob(*path), path)
        for total, slope, a, b in zip(sums, slopes, starts, ends, strict=True):
            total.add_((0.5 if n in (0, points) else 1.0) / points * (slope * (b - a)).sum(-1))
    return sums[0], sums[1], log_prob(*starts).detach(), log_prob(*ends).detach()


@pytest.mark.parametrize("traced", [("pre", False), ("post", True)], indirect=True)
def test_attributions_are_the_integral(traced: Traced, ex: Explanation) -> None:
    model = traced[0]
    found = integrated_gradients(model, ex, STEP, TOKEN, points=60)
    source, target, start, end = slowly(model, ex, 60)
    assert found.source == pytest.approx(source.numpy(), abs=0.01)
    assert found.target == pytest.approx(target.numpy(), abs=0.01)
    assert (found.baseline, found.value) == pytest.approx((float(start), float(end)), abs=1e-4)
    assert found.value == pytest.approx(float(ex.trace["output.log_probs"][0, STEP, TOKEN]), abs=1e-4)
    assert abs(found.error) < 0.02
    assert np.abs(found.source).max() > 0.1


def test_all_steps_at_once_are_each_step_alone(traced: Traced, ex: Explanation) -> None:
    found = integrated_gradients_of_all(traced[0], ex, points=20)
    assert len(found) == len(ex.steps) > STEP
    for each, step in zip(found, ex.steps, strict=True):
        alone = integrated_gradients(traced[0], ex, step.index, step.expected.id, points=20)
        assert each.source == pytest.approx(alone.source, abs=1e-5)
        assert each.target == pytest.approx(alone.target, abs=1e-5)
        assert (each.value, each.baseline) == pytest.approx((alone.value, alone.baseline), abs=1e-5)
        assert not each.target[step.index + 1 :].any()


def test_an_open_mask_lets_later_tokens_count(model: Transformer, checkpoint: Checkpoint) -> None:
    ex = explained(checkpoint, model, Edits(no_causal_mask=True))
    found = integrated_gradients(model, ex, STEP, TOKEN, points=60)
    assert found.value == pytest.approx(float(ex.trace["output.log_probs"][0, STEP, TOKEN]), abs=1e-4)
    assert np.abs(found.target[STEP + 1 :]).max() > 1e-3
    assert abs(found.error) < 0.02


def test_where_an_edit_cuts_every_way_from_the_words_nothing_counts(model: Transformer, checkpoint: Checkpoint) -> None:
    last = Sublayer("decoder", model.config.n_layers - 1, "ffn")
    ex = explained(checkpoint, model, Edits(sublayers={last}, no_residual=True))
    found = integrated_gradients(model, ex, STEP, TOKEN, points=5)
    assert not found.source.any() and not found.target.any()
    assert found.value == found.baseline
