"""Device, process group, signals and malloc settings of a training process."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from datetime import timedelta
from types import FrameType, TracebackType

import torch
import torch.distributed as dist

PATIENCE = timedelta(hours=2)  # of the other processes, while the first one learns the vocabulary of a large corpus


def pick_device() -> torch.device:
    """The GPU of this process, or the CPU if there is none."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def has_bf16(device: torch.device) -> bool:
    """True if bfloat16 products are done in hardware; emulated, they are slower than float32."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


@contextlib.contextmanager
def distributed() -> Iterator[None]:
    """Joins the group that torchrun prepared, if it did."""
    if "WORLD_SIZE" not in os.environ:
        yield
        return
    if torch.cuda.is_available():
        torch.cuda.set_device(pick_device())
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo", timeout=PATIENCE)
    try:
        yield
    finally:
        dist.destroy_process_group()


class Interruption:
    """While entered, SIGINT and SIGTERM set `asked` instead of stopping whatever line is being run."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, signal._HANDLER] = {}

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():  # no other thread hears signals
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _hear(self, signum: int, frame: FrameType | None) -> None:
        self.asked = True


_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # M_… of malloc.h


def keep_freed_memory() -> None:
    """Make glibc keep what was freed, so that the process never gets smaller: a third of a training step is spent asking for pages
    again.
    """
    try:
        libc = ctypes.CDLL("libc.so.6")
    except OSError:  # another C library
        return
    libc.mallopt(_MMAP_MAX, 0)
    libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
