"""The product that goes two ways: both give the same numbers, and each is taken only where it can answer."""

from __future__ import annotations

import pytest
import torch

from viz_core.model import linear as module
from viz_core.model.linear import ROWS, Linear, linear


@pytest.mark.parametrize("rows", [1, ROWS - 1, ROWS, 3 * ROWS + 1])
@pytest.mark.parametrize("biased", [True, False])
def test_equals_its_formula(rows: int, biased: bool) -> None:
    x, weight = torch.randn(2, rows, 24, dtype=torch.float64), torch.randn(40, 24, dtype=torch.float64)
    bias = torch.randn(40, dtype=torch.float64) if biased else None
    expected = x @ weight.T + (0 if bias is None else bias)
    with torch.inference_mode():
        got = linear(x.float(), weight.float(), None if bias is None else bias.float())
        exact = linear(x, weight, bias)
    assert (got - expected).abs().max() < 1e-5
    assert (exact - expected).abs().max() < 1e-12


def test_reads_a_view_as_it_is() -> None:
    x, weight = torch.randn(24, 2 * ROWS).mT, torch.randn(40, 48)[:, ::2]
    with torch.inference_mode():
        assert (linear(x, weight) - x @ weight.mT).abs().max() < 1e-5


def test_gradients_flow() -> None:
    layer, x = Linear(24, 40), torch.randn(2 * ROWS, 24, requires_grad=True)
    layer(x).sum().backward()
    assert x.grad is not None and layer.weight.grad is not None and layer.bias.grad is not None


def test_autocast_is_heard() -> None:
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        assert Linear(24, 40)(torch.randn(2 * ROWS, 24)).dtype == torch.bfloat16


def test_a_torch_without_onednn_computes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    x, layer = torch.randn(2 * ROWS, 24), Linear(24, 40)
    with torch.inference_mode():
        fast = layer(x)
        monkeypatch.setattr(module, "ONEDNN", None)
        assert (fast - layer(x)).abs().max() < 1e-5
