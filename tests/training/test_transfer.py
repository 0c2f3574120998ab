"""Weights of other times and models: from another checkpoint, the mean of several epochs' ends, and the snapshot of a step."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.small_run import SHAPE, small_settings
from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.model import Transformer
from viz_core.tokenizer import SPACE, BpeTokenizer
from viz_core.training import snapshots
from viz_core.training.averaging import FOLDER, keep, mean
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings
from viz_core.training.tuning import take_weights

WORDS = [f"{SPACE}umbrella", f"{SPACE}茶", f"{SPACE}a", "茶", "壶"] * 3


def test_tokens_that_both_vocabularies_have_keep_their_vectors(checkpoint: Checkpoint) -> None:
    tokenizer = BpeTokenizer.train(WORDS, 400)
    config = replace(checkpoint.config, source_vocab=len(tokenizer), target_vocab=len(tokenizer))
    torch.manual_seed(0)
    model = Transformer(config)
    before = model.source_embedding.weight.detach().clone()
    take_weights(model, tokenizer, checkpoint)
    old, new = checkpoint.model.source_embedding.weight, model.source_embedding.weight
    for token in ("⟨/s⟩", "<0xE4>", "a", f"{SPACE}a"):
        assert torch.equal(new[tokenizer.vocab.index(token)], old[checkpoint.tokenizer.vocab.index(token)]), token
    for token in ("茶", "壶"):
        assert token not in checkpoint.tokenizer.vocab
        assert torch.equal(new[tokenizer.vocab.index(token)], before[tokenizer.vocab.index(token)]), token
    for name, parameter in checkpoint.model.named_parameters():
        if name.startswith(("encoder", "decoder")):
            assert torch.equal(model.get_parameter(name), parameter), name


def test_the_last_epochs_are_averaged_and_older_ones_deleted(checkpoint: Checkpoint, tmp_path: Path) -> None:
    torch.manual_seed(0)
    models = [Transformer(checkpoint.config) for _ in range(4)]
    for epoch, model in enumerate(models, start=1):
        keep(tmp_path, model, epoch, 3)
        assert (mean(tmp_path, model, epoch, 3) is None) == (epoch < 3)
    assert sorted(path.stem for path in (tmp_path / FOLDER).iterdir()) == ["2", "3", "4"]
    found = mean(tmp_path, models[-1], 4, 3)
    assert found
    for name, parameter in found.named_parameters():
        three = torch.stack([model.get_parameter(name) for model in models[1:]])
        torch.testing.assert_close(parameter, three.mean(0))


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
