"""torchrun with two processes on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import safetensors.torch
import torch
from torch.distributed.run import main as torchrun

from viz_core import checkpoint as checkpoints

HERE = Path(__file__).parent


def test_two_processes_end_with_the_same_weights(
    pairs: Sequence[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "pairs.tsv"
    data.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    launch = ["--standalone", "--nproc-per-node", "2", str(HERE / "two_processes.py")]
    files = ["train", "--pairs", str(data), "--valid", str(data), "--out", str(tmp_path / "run")]
    sizes = {"epochs": 1, "tokens": 150, "vocab-size": 480, "d-model": 16, "n-heads": 2, "n-layers": 1, "d-ff": 24, "max-len": 48}
    shape = [f"--{name}={size}" for name, size in sizes.items()]
    for name, value in {"OMP_NUM_THREADS": "1", "WEIGHTS": str(tmp_path), "PYTHONPATH": str(HERE.parents[1])}.items():
        monkeypatch.setenv(name, value)

    torchrun([*launch, *files, *shape])  # raises where one of them fails

    first, second = (safetensors.torch.load_file(tmp_path / f"{rank}-of-2") for rank in (0, 1))
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    assert checkpoints.load(tmp_path / "run").config.d_model == 16
