"""Device, process group, signals and malloc settings of a training process."""

import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from datetime import timedelta

import torch
import torch.distributed as dist

PATIENCE = timedelta(hours=2)  # for the other processes, while the first one learns the vocabulary of a large corpus


def pick_device() -> torch.device:
    """The GPU of this process, or the CPU if there is none."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def has_bf16(device: torch.device) -> bool:
    """True if the hardware multiplies bfloat16; emulation is slower than float32."""
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


@contextlib.contextmanager
def interruption() -> Iterator[threading.Event]:
    """While entered, SIGINT and SIGTERM set the event instead of interrupting the running line."""
    interrupted = threading.Event()
    # only the main thread may handle signals
    handled = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, lambda *_: interrupted.set()) for number in handled}
    try:
        yield interrupted
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # M_… of malloc.h


def keep_freed_memory() -> None:
    """Makes glibc keep freed memory: otherwise a third of a training step is spent on requesting pages again."""
    try:
        libc = ctypes.CDLL("libc.so.6")
    except OSError:  # another C library
        return
    libc.mallopt(_MMAP_MAX, 0)
    libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
