"""A snapshot has the weights of its step, and a damaged one is refused by name."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from tests.training.small_run import SHAPE, small_settings
from viz_core import checkpoint as checkpoints
from viz_core.errors import CheckpointError
from viz_core.model import Transformer
from viz_core.training import snapshots
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings


@pytest.fixture(scope="module")
def run(pairs: Sequence[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One epoch with snapshots of its beginning and of two steps."""
    settings = small_settings(tmp_path_factory.mktemp("snapshots"), pairs, valid=2, warmup=4, keep=(0, 2, 5, 1000))
    Trainer(settings, SHAPE, resume=False).run()
    return settings.out


def weights(model: Transformer) -> dict[str, torch.Tensor]:
    return {name: p.detach().half() for name, p in model.named_parameters()}


def test_the_beginning_is_that_of_the_seed_and_each_step_is_another(run: Path) -> None:
    trained = checkpoints.load(run)
    assert snapshots.saved_steps(run) == (0, 2, 5)
    torch.manual_seed(TrainSettings.seed)
    untrained = weights(Transformer(trained.config))
    found = {step: weights(snapshots.load_at(run, trained, step).model) for step in snapshots.saved_steps(run)}
    assert all(torch.equal(found[0][name], tensor) for name, tensor in untrained.items())
    name = "encoder.layers.0.ffn.w_1.weight"
    distances = [float((found[step][name].float() - untrained[name].float()).norm()) for step in (0, 2, 5)]
    assert distances == sorted(distances)
    assert distances[0] == 0 < distances[1] < distances[2]


@pytest.mark.parametrize("damage", ["cut", "missing", "foreign"])
def test_a_damaged_snapshot_is_refused_by_name(run: Path, damage: str, tmp_path: Path) -> None:
    trained, path = checkpoints.load(run), Path(shutil.copytree(run, tmp_path / "run")) / snapshots.FOLDER / "5.safetensors"
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-100])
    elif damage == "missing":
        path.unlink()
    else:
        path.write_bytes((run / "training-state.safetensors").read_bytes())
    with pytest.raises(CheckpointError, match=r"5\.safetensors"):
        snapshots.load_at(path.parents[1], trained, 5)
