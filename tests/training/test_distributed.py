"""torchrun with two processes on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import safetensors.torch
import torch

from viz_core import checkpoint as checkpoints

HERE = Path(__file__).parent


def test_two_processes_end_with_the_same_weights(pairs: Sequence[tuple[str, str]], tmp_path: Path) -> None:
    data = tmp_path / "pairs.tsv"
    data.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    launch = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        str(HERE / "two_processes.py"),
    ]
    files = ["train", "--pairs", str(data), "--valid", str(data), "--out", str(tmp_path / "run")]
    sizes = {"epochs": 1, "tokens": 150, "vocab-size": 480, "d-model": 16, "n-heads": 2, "n-layers": 1, "d-ff": 24, "max-len": 48}
    shape = [f"--{name}={size}" for name, size in sizes.items()]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "WEIGHTS": str(tmp_path), "PYTHONPATH": str(HERE.parents[1])}

    done = subprocess.run([*launch, *files, *shape], env=environment, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stderr
    first, second = (safetensors.torch.load_file(tmp_path / f"{rank}-of-2") for rank in (0, 1))
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    assert checkpoints.load(tmp_path / "run").config.d_model == 16
