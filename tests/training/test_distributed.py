"""torchrun with two processes on the CPU."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import safetensors.torch
import torch
from torch import distributed as dist
from torch.distributed.run import main as torchrun

from tests.training.small_run import small_settings
from viz_core import checkpoint as checkpoints
from viz_core.errors import ConfigError
from viz_core.training.loop import Trainer

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


def test_fewer_batches_than_processes_are_refused(
    pairs: Sequence[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"is_initialized": True, "get_rank": 0, "get_world_size": 9, "barrier": None}.items():
        monkeypatch.setattr(dist, name, lambda value=value: value)
    shape: dict[str, object] = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_ff": 24, "max_len": 48}
    said = r"\d+ pairs make fewer batches than there are processes, 9; lower --tokens, or start fewer processes"
    with pytest.raises(ConfigError, match=said):
        Trainer(small_settings(tmp_path, pairs, valid=2, tokens=9_000), shape, resume=False)
