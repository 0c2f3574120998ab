"""Wherever something trains, numbers that are no longer finite end the run, and what was good before is kept."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch
from torch import Tensor, nn

from tests.training.small_run import SHAPE, small_settings
from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError, Diverged
from viz_core.training.copy_gate import CopyTrainer
from viz_core.training.copy_settings import CopySettings
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.loop import Trainer
from viz_core.training.material import Material
from viz_core.training.settings import TrainSettings
from viz_core.training.state import FILE
from viz_core.training.tuning import Tuner, Tuning

Pairs = Sequence[tuple[str, str]]


@pytest.fixture
def settings(pairs: Pairs, tmp_path: Path) -> TrainSettings:
    return small_settings(tmp_path, pairs, valid=2, epochs=2)


def state(folder: Path) -> dict[str, Tensor]:
    return safetensors.torch.load_file(folder / FILE)


def at_call(number: int, function: Callable[..., Tensor], value: float) -> Callable[..., Tensor]:
    """The function, whose n-th result is multiplied by a number, such as NaN."""
    calls = iter(range(1, 1_000_000))

    def wrapped(*arguments: Any, **options: Any) -> Tensor:
        result = function(*arguments, **options)
        return result * value if next(calls) == number else result

    return wrapped


def test_a_run_stops_before_the_step_and_goes_on_from_the_last_good_state(
    settings: TrainSettings, pairs: Pairs, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = small_settings(tmp_path_factory.mktemp("whole"), pairs, valid=2, epochs=2)
    Trainer(unbroken, SHAPE, resume=False).run()
    run = Trainer(settings, SHAPE, resume=False)
    step = run.per_epoch + 2
    with monkeypatch.context() as patch:
        patch.setattr(nn.utils, "clip_grad_norm_", at_call(step, nn.utils.clip_grad_norm_, math.inf))
        with pytest.raises(Diverged, match=rf"step {step}: the gradient is .* last good state, after step {run.per_epoch};"):
            run.run()
    assert all(parameter.isfinite().all() for parameter in run.model.parameters())
    assert [json.loads(line)["epoch"] for line in (settings.out / "history.jsonl").read_text().splitlines()] == [1]
    Trainer(settings, SHAPE, resume=True).run()
    assert all(torch.equal(tensor, state(unbroken.out)[name]) for name, tensor in state(settings.out).items())


def test_weights_that_no_checkpoint_holds_are_not_saved(settings: TrainSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Trainer(settings, SHAPE, resume=False)
    gamma = run.model.get_parameter("encoder.norm.gamma").data

    def grow() -> None:
        if run.progress.step == run.per_epoch:
            gamma.fill_(7e4)

    monkeypatch.setattr(run, "_keep", grow)  # after each step
    with pytest.raises(Diverged, match=rf"step {run.per_epoch}: a weight is beyond ±65,504.*after step 0;"):
        run.run()
    assert max(float(tensor.abs().max()) for name, tensor in state(settings.out).items() if name.startswith("model")) < 100
    for value in (7e4, math.nan):
        gamma.fill_(value)
        with pytest.raises(CheckpointError, match="not a finite number in float16, so the model is not saved"):
            checkpoints.save(settings.out, run.checkpoint(run.model))
    assert not (settings.out / "config.json").exists()


@pytest.fixture
def few(pairs: Pairs) -> Material:
    return Material("few", tuple(pairs[:9]), tuple(pairs[9:12]))


def test_fine_tuning_does_not_take_a_step_that_is_not_finite(
    checkpoint: Checkpoint, few: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Tuner(Tuning(checkpoint=checkpoint, material=few))
    monkeypatch.setattr(nn.utils, "clip_grad_norm_", at_call(3, nn.utils.clip_grad_norm_, math.inf))
    while not run.diverged:
        run.step()
    assert len(run.measured) == 3
    assert run.model
    assert all(parameter.isfinite().all() for parameter in run.model.parameters())


def test_live_training_does_not_take_a_step_that_is_not_finite(monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveTrainer(Recipe(n_layers=1, d_model=32))
    monkeypatch.setattr(nn.utils, "clip_grad_norm_", at_call(2, nn.utils.clip_grad_norm_, math.nan))
    while not live.diverged:
        live.step()
    assert len(live.measured) == 2
    assert all(parameter.isfinite().all() for parameter in live.model.parameters())


@pytest.mark.parametrize("what", ["loss", "gradient"])
def test_a_gate_is_not_saved(checkpoint: Checkpoint, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = CopyTrainer(checkpoint, [("Mary sleeps.", "Mary schläft.")] * 20, CopySettings(tokens=20))
    if what == "loss":
        monkeypatch.setattr("viz_core.training.copy_gate.copy_loss", lambda *_: trainer.pointer.bias.sum() * math.inf)
    else:
        monkeypatch.setattr(nn.utils, "get_total_norm", lambda _: torch.tensor(math.inf))
    with pytest.raises(Diverged, match=rf"batch 1: the {what} is .*; nothing is saved; try a smaller --learning-rate"):
        list(trainer)
