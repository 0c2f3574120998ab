"""The product that goes two ways: both give the same numbers, each is taken only where it can answer, and the faster one is."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from viz_core.model import linear as module
from viz_core.model.linear import FEW, PROBE, PROBE_FEW, ROWS, Linear, column_by_column, linear


@pytest.fixture(params=["torch", "onednn", "measured"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way that a product can go."""
    monkeypatch.setattr(module, "ASKED", request.param)
    return str(request.param)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Nothing has been measured yet, and nothing is left behind."""
    monkeypatch.setattr(module, "ASKED", "")
    module._onednn_wins.cache_clear()
    yield monkeypatch
    module._onednn_wins.cache_clear()


@pytest.mark.parametrize("rows", [1, FEW // 2, ROWS // 2, 3 * ROWS + 1])
@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.usefixtures("way")
def test_equals_its_formula(rows: int, biased: bool) -> None:
    x, weight = torch.randn(2, rows, 24, dtype=torch.float64), torch.randn(40, 24, dtype=torch.float64)
    bias = torch.randn(40, dtype=torch.float64) if biased else None
    expected = x @ weight.T + (0 if bias is None else bias)
    with torch.inference_mode():
        got = linear(x.float(), weight.float(), None if bias is None else bias.float())
        exact = linear(x, weight, bias)
    assert (got - expected).abs().max() < 1e-5
    assert (exact - expected).abs().max() < 1e-12


@pytest.mark.usefixtures("way")
def test_reads_a_view_as_it_is() -> None:
    x, weight = torch.randn(24, 2 * ROWS).mT, torch.randn(40, 48)[:, ::2]
    with torch.inference_mode():
        assert (linear(x, weight) - x @ weight.mT).abs().max() < 1e-5


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("rows", [1, 3 * ROWS])
def test_a_matrix_column_by_column_is_the_same_matrix(rows: int) -> None:
    weight, x = torch.randn(40, 24), torch.randn(rows, 24)
    laid = column_by_column(weight)
    assert torch.equal(laid, weight)
    assert (laid.stride(), weight.stride()) == ((1, 40), (24, 1))
    with torch.inference_mode():
        assert (linear(x, laid) - linear(x, weight)).abs().max() < 1e-5


@pytest.mark.skipif(module.ONEDNN is None, reason="a torch without oneDNN")
def test_each_layout_is_measured_as_it_is(measured: pytest.MonkeyPatch) -> None:
    probed: list[tuple[int, ...]] = []

    def way(x: Tensor, weight: Tensor, *rest: object) -> Tensor:
        if len(x) == PROBE:
            probed.append(weight.stride())
        return x @ weight.mT

    measured.setattr(module, "ONEDNN", way)
    weight = torch.randn(40, 24)
    with torch.inference_mode():
        linear(torch.randn(ROWS, 24), weight)
        assert set(probed) == {(24, 1)}
        linear(torch.randn(ROWS, 24), column_by_column(weight))
        assert set(probed) == {(24, 1), (1, 40)}


@pytest.mark.usefixtures("way")
def test_gradients_flow() -> None:
    layer, x = Linear(24, 40), torch.randn(2 * ROWS, 24, requires_grad=True)
    layer(x).sum().backward()
    assert x.grad is not None and layer.weight.grad is not None and layer.bias.grad is not None


@pytest.mark.usefixtures("way")
def test_autocast_is_heard() -> None:
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        assert Linear(24, 40)(torch.randn(2 * ROWS, 24)).dtype == torch.bfloat16


@pytest.mark.usefixtures("way")
def test_a_torch_without_onednn_computes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    x, layer = torch.randn(2 * ROWS, 24), Linear(24, 40)
    with torch.inference_mode():
        fast = layer(x)
        monkeypatch.setattr(module, "ONEDNN", None)
        assert (fast - layer(x)).abs().max() < 1e-5


def late(way: Callable[..., Tensor], calls: list[int]) -> Callable[..., Tensor]:
    """The same, ten milliseconds later. calls: the rows of each product that it was asked for."""

    def answer(x: Tensor, *rest: object) -> Tensor:
        calls.append(x.numel() // x.size(-1))
        time.sleep(0.01)
        return way(x, *rest)

    return answer


@pytest.mark.skipif(module.ONEDNN is None, reason="a torch without oneDNN")
@pytest.mark.parametrize("slow", ["onednn", "torch"])
@pytest.mark.parametrize(("rows", "probe"), [(7 * ROWS, PROBE), (ROWS, PROBE), (ROWS - 1, PROBE_FEW), (FEW, PROBE_FEW)])
def test_the_slow_one_is_asked_in_the_measurement_only_and_once_for_each_shape(
    slow: str, rows: int, probe: int, measured: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    place, name = (module, "ONEDNN") if slow == "onednn" else (F, "linear")
    measured.setattr(place, name, late(getattr(place, name), calls))
    x, layer, wider = torch.randn(rows, 64), Linear(64, 24), Linear(64, 40)
    with torch.inference_mode():
        got = layer(x)
        assert (got - x @ layer.weight.mT - layer.bias).abs().max() < 1e-4
        assert set(calls) == {probe}
        once = len(calls)
        layer(x)
        assert len(calls) == once
        wider(x)
        assert len(calls) > once
        assert set(calls) == {probe}


@pytest.mark.skipif(module.ONEDNN is None, reason="a torch without oneDNN")
def test_one_row_is_torchs_and_few_rows_are_measured_apart_from_many(measured: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def wins(rows: int, shape: tuple[int, int], columns: bool, threads: int) -> bool:
        asked.append(rows)
        return False

    measured.setattr(module, "_onednn_wins", functools.cache(wins))
    weight = torch.ones(40, 24)
    with torch.inference_mode():
        for rows, measurements in ((1, []), (FEW - 1, []), (FEW, [PROBE_FEW]), (ROWS - 1, [PROBE_FEW]), (ROWS, [PROBE_FEW, PROBE])):
            linear(torch.ones(rows, 24), weight)
            assert asked == measurements


def test_however_many_ask_at_once_all_get_the_same(measured: pytest.MonkeyPatch) -> None:
    results: list[bool] = []
    alike = iter([True, False] * 50)  # what a measurement of two that are alike could say

    def wins(rows: int, shape: tuple[int, int], columns: bool, threads: int) -> bool:
        time.sleep(0.01)
        return next(alike)

    measured.setattr(module, "_onednn_wins", functools.cache(wins))
    weight = torch.ones(40, 24)
    threads = [threading.Thread(target=lambda: results.append(module._onednn_shall(weight, PROBE))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8


def test_measuring_takes_no_number_from_the_dice(measured: pytest.MonkeyPatch) -> None:
    before = torch.get_rng_state()
    with torch.inference_mode():
        linear(torch.ones(2 * ROWS, 24), torch.ones(40, 24))
    assert torch.equal(before, torch.get_rng_state())
