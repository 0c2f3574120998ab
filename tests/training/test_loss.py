"""The losses: label smoothing, and guided attention against the formula."""

import math

import pytest
import torch
from torch import nn

from viz_core.config import PAD_ID
from viz_core.model.transformer import Generator
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loss import PIECE, guided_loss, penalty, smoothed_cross_entropy, states_cross_entropy

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


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("has_bias", [False, True])
def test_without_the_logits_the_loss_and_its_gradients_are_the_same(smoothing: float, has_bias: bool) -> None:
    draw = torch.Generator().manual_seed(0)
    generator = Generator(nn.Parameter(torch.randn(50, 16, generator=draw)), has_bias)
    if generator.bias is not None:
        generator.bias.data = torch.randn(50, generator=draw)
    states = torch.randn(3, 2 * PIECE // 5, 16, generator=draw, requires_grad=True)  # more than one piece
    predict = torch.randint(0, 50, states.shape[:2], generator=draw)  # PAD_ID among them
    leaves = [states, *generator.parameters()]
    whole = smoothed_cross_entropy(generator.logits(states), predict, smoothing)
    expected = torch.autograd.grad(whole, leaves)
    loss = states_cross_entropy(states, generator, predict, smoothing)
    torch.testing.assert_close(loss, whole)
    torch.testing.assert_close(torch.autograd.grad(loss, leaves), expected)
    with torch.autocast("cpu", torch.bfloat16):
        torch.testing.assert_close(states_cross_entropy(states, generator, predict, smoothing), whole)


SMALL = {"d_model": 32, "n_heads": 2}


def lengths(*each: int) -> torch.Tensor:
    return torch.tensor(each)


def test_the_penalty_by_hand() -> None:
    found = penalty(lengths(2), lengths(3))[0]
    by_hand = [[1 - math.exp(-((t / 2 - s / 3) ** 2) / 0.08) for s in (1, 2, 3)] for t in (1, 2)]
    assert found.tolist() == [pytest.approx(row, abs=1e-6) for row in by_hand]
    assert [round(value, 3) for value in found[0].tolist()] == [0.293, 0.293, 0.956]


def test_the_loss_is_what_a_row_pays_in_the_mean() -> None:
    draw = torch.Generator().manual_seed(0)
    targets, sources = lengths(3, 2), lengths(4, 2)
    layers = [torch.rand(2, 2, 3, 4, generator=draw).softmax(-1) for _ in range(3)]
    for layer in layers:
        layer[1, :, :, 2:] = 0.0
    rows = [
        float((layer[b, h, t, :] * penalty(targets, sources)[b, t]).sum())
        for layer in layers for b in (0, 1) for h in (0, 1) for t in range(int(targets[b]))
    ]  # fmt: skip
    assert float(guided_loss(layers, targets, sources)) == pytest.approx(sum(rows) / len(rows), rel=1e-5)


def test_a_guided_step_learns_from_both_losses(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[torch.Tensor] = []
    gradients: list[torch.Tensor] = []
    for guided in (0.0, 3.0):
        trainer = LiveTrainer(Recipe(**SMALL, guided=guided))  # type: ignore[arg-type]
        monkeypatch.setattr(trainer, "learn", lambda loss, _: learned.append(loss))
        step = trainer.step()
        gradients += torch.autograd.grad(learned[-1], trainer.model.get_parameter("decoder.layers.0.cross_attn.w_q.weight"))
    assert step.paid is not None and float(learned[1].detach()) == pytest.approx(step.loss + 3 * step.paid)
    assert float(learned[0].detach()) == pytest.approx(step.loss)
    assert not torch.allclose(gradients[0], gradients[1])
