"""The product x Wᵀ + b, in which most of a pass's time goes.

On the CPU, torch asks MKL for single precision. oneDNN can do the same: on some processors it needs half of MKL's time, on others
more, and that differs with the shape and with the number of rows. So each shape is measured once for few rows (a beam) and once for
many (a sentence), where it is first needed, and keeps its way: within a process the same numbers always give the same product, bit
for bit.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# One of torch's inner operators: a build without oneDNN, or a later one, may not have it, and then nothing is lost but time.
ONEDNN = getattr(torch.ops.mkldnn, "_linear_pointwise", None) if torch.backends.mkldnn.is_available() else None
FEW, ROWS = 4, 16
"""From how many rows on x counts as few and as many. With fewer than few, what oneDNN prepares for a product is never won back."""
ASKED = os.environ.get("VIZ_CORE_LINEAR", "")
"""`torch` or `onednn` leaves the other alone; anything else lets the measurement decide."""
PROBE_FEW, PROBE = 5, 20
"""Rows of the products that are measured: a beam, and a sentence of a dozen words."""
CLEAR = 0.95
"""oneDNN is asked where it needs less than this share of torch's time: of two that are alike, always the same is taken."""
FEWEST, MOST, ENOUGH = 3, 20, 0.003
"""Rounds of a measurement, and seconds after which it has had enough of them."""
_alone = threading.Lock()


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The product x Wᵀ + b: (…, in) → (…, out)."""
    rows = x.numel() // x.size(-1)
    if rows >= FEW and _onednn_can(x) and _onednn_shall(weight, PROBE if rows >= ROWS else PROBE_FEW):
        return _by_onednn(x, weight, bias)
    return F.linear(x, weight, bias)


def column_by_column(matrix: Tensor) -> Tensor:
    """The same matrix, in the memory one column after the other.

    A product x Wᵀ adds up columns of W, each times one number of x. With few rows of x, as in decoding, almost all of its time goes
    into reading W, and this way W is read from front to end.
    """
    return matrix.mT.contiguous().mT


def _by_onednn(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    return ONEDNN(x, weight, bias, "none", [], "")  # type: ignore[misc]


def _onednn_can(x: Tensor) -> bool:
    """It knows no gradients, and single precision only."""
    learning = torch.is_grad_enabled() or torch.is_autocast_enabled("cpu")
    return ONEDNN is not None and x.is_cpu and x.dtype == torch.float32 and not learning


def _onednn_shall(weight: Tensor, rows: int) -> bool:
    if ASKED in ("torch", "onednn"):
        return ASKED == "onednn"
    with _alone:  # or two threads would measure at once, and could come to two ways
        return _onednn_wins(rows, weight.shape, weight.stride(0) == 1, torch.get_num_threads())


@functools.cache
def _onednn_wins(rows: int, shape: tuple[int, int], columns: bool, threads: int) -> bool:
    """Measures weights of this shape (out, in), laid out column by column or row by row; a matter of milliseconds."""
    x, weight, bias = torch.ones(rows, shape[1]), torch.ones(shape), torch.ones(shape[0])
    if columns:
        weight = column_by_column(weight)
    ways: tuple[Callable[[], Tensor], ...] = (lambda: _by_onednn(x, weight, bias), lambda: F.linear(x, weight, bias))
    for way in ways:
        way()  # the first time, each prepares something
    times: list[tuple[float, ...]] = []
    until = time.perf_counter() + ENOUGH
    while len(times) < FEWEST or (len(times) < MOST and time.perf_counter() < until):
        times.append(tuple(_seconds(way) for way in ways))  # in turns, so that noise of the machine meets both
    onednn, usual = (min(each) for each in zip(*times, strict=True))
    return onednn < CLEAR * usual


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


class Linear(nn.Linear):
    """Linear map with weights W (out, in) and bias b (out,)."""

    def forward(self, x: Tensor) -> Tensor:
        """(…, in) → (…, out)"""
        return linear(x, self.weight, self.bias)
