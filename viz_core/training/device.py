"""Where a run computes: a CPU, a GPU, or several with torchrun."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import timedelta

import torch
import torch.distributed as dist

PATIENCE = timedelta(hours=2)  # of the other processes, while the first one learns the vocabulary of a large corpus


def pick_device() -> torch.device:
    """The GPU of this process, or the CPU where there is none."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def has_bf16(device: torch.device) -> bool:
    """Whether bfloat16 products are done in hardware; emulated, they are slower than float32."""
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
