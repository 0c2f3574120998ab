"""The mean of the weights of several epochs' ends."""

from pathlib import Path

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.training.averaging import FOLDER, keep, mean


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
