"""torchrun with two processes on the CPU."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import safetensors.torch
import torch
from torch import distributed as dist
from torch.distributed.run import main as torchrun

from tests.training.small_run import SHAPE, command, small_settings
from viz_core import checkpoint as checkpoints
from viz_core.errors import ConfigError
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings

HERE = Path(__file__).parent


def trained_by_two(folder: Path, settings: TrainSettings, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The exit status of each process."""
    (folder / "command.json").write_text(json.dumps(command(settings)))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("PYTHONPATH", str(HERE.parents[1]))
    torchrun(["--standalone", "--nproc-per-node", "2", str(HERE / "two_processes.py"), str(folder)])
    return [json.loads((folder / f"code-{rank}.json").read_text()) for rank in (0, 1)]


def test_two_processes_end_with_the_same_weights(
    pairs: Sequence[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = small_settings(tmp_path, pairs, valid=2)
    assert trained_by_two(tmp_path, settings, monkeypatch) == [0, 0]
    first, second = (safetensors.torch.load_file(tmp_path / f"{rank}-of-2") for rank in (0, 1))
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    assert checkpoints.load(settings.out).config.d_model == 16


def test_fewer_batches_than_processes_are_refused(
    pairs: Sequence[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"is_initialized": True, "get_rank": 0, "get_world_size": 9, "barrier": None}.items():
        monkeypatch.setattr(dist, name, lambda value=value: value)
    said = r"\d+ pairs make fewer batches than there are processes, 9; lower --tokens, or start fewer processes"
    with pytest.raises(ConfigError, match=said):
        Trainer(small_settings(tmp_path, pairs, valid=2, tokens=9_000), SHAPE, resume=False)
