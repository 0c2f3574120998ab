"""torchrun with two processes on the CPU."""

import json
from collections.abc import Sequence
from dataclasses import replace
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


@pytest.fixture(scope="module")
def settings(pairs: Sequence[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, TrainSettings]:
    """Two runs of two processes, one after the other: of one epoch, and with a learning rate beyond all measure."""
    folder = tmp_path_factory.mktemp("two")
    good = small_settings(folder, pairs, valid=2)
    bad = replace(good, out=folder / "bad", learning_rate=1e6, epochs=20)
    (folder / "commands.json").write_text(json.dumps([command(good), command(bad)]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setenv("PYTHONPATH", str(HERE.parents[1]))
        torchrun(["--standalone", "--nproc-per-node", "2", str(HERE / "two_processes.py"), str(folder)])
    return {"good": good, "bad": bad}


def test_two_processes_end_with_the_same_weights(settings: dict[str, TrainSettings]) -> None:
    out = settings["good"].out
    first, second = (safetensors.torch.load_file(out.parent / f"{rank}-of-2") for rank in (0, 1))
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    assert checkpoints.load(out).config.d_model == 16


def test_two_processes_stop_together_and_one_may_go_on(settings: dict[str, TrainSettings]) -> None:
    bad = settings["bad"]
    assert [json.loads((bad.out.parent / f"codes-{rank}.json").read_text()) for rank in (0, 1)] == [[0, 1], [0, 1]]
    resumed = Trainer(bad, SHAPE, resume=True)
    assert resumed.progress.processes == 1
    assert resumed.total == resumed.per_epoch * 20 - (resumed.per_epoch - resumed.progress.per_epoch) * resumed.progress.epoch
    assert all(parameter.isfinite().all() for parameter in resumed.model.parameters())


def test_fewer_batches_than_processes_are_refused(
    pairs: Sequence[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"is_initialized": True, "get_rank": 0, "get_world_size": 9, "barrier": None}.items():
        monkeypatch.setattr(dist, name, lambda value=value: value)
    said = r"\d+ pairs make fewer batches than there are processes, 9; lower --tokens, or start fewer processes"
    with pytest.raises(ConfigError, match=said):
        Trainer(small_settings(tmp_path, pairs, valid=2, tokens=9_000), SHAPE, resume=False)
