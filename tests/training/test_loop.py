"""A run learns, and whatever interrupts it, goes on as if nothing had happened."""

import dataclasses
import errno
import json
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open
from torch import Tensor

from tests.conftest import made
from tests.training.small_run import SHAPE, small_settings
from viz_core.decoding import translate
from viz_core.errors import CheckpointError
from viz_core.training.loop import Trainer
from viz_core.training.settings import TrainSettings
from viz_core.training.state import FILE, save_state

pytestmark = pytest.mark.filterwarnings("error::UserWarning")


@pytest.fixture(scope="module")
def recipe(pairs: Sequence[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory) -> TrainSettings:
    """Two epochs of a few steps."""
    return small_settings(tmp_path_factory.mktemp("recipe"), pairs, valid=4, epochs=2, tokens=80)


@pytest.fixture
def settings(recipe: TrainSettings, tmp_path: Path) -> TrainSettings:
    """The same in a fresh folder."""
    return dataclasses.replace(recipe, out=tmp_path / "run")


def tensors(folder: Path) -> dict[str, Tensor]:
    """Everything the state file holds but the clock."""
    with safe_open(folder / FILE, framework="pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)


def progress(folder: Path) -> dict[str, Any]:
    with safe_open(folder / FILE, framework="pt") as file:
        return dict(json.loads(file.metadata()["progress"]))


def same_end(one: Path, other: Path) -> None:
    """Bit for bit: weights, average, moments, random generator, and the checkpoint that was chosen."""
    first, second = tensors(one), tensors(other)
    assert first.keys() == second.keys()
    for name, tensor in first.items():
        assert torch.equal(tensor, second[name]), name
    for name in ("model.safetensors", "config.json", "tokenizer.json"):
        assert (one / name).read_bytes() == (other / name).read_bytes()
    measured = [[entry for entry in progress(folder)["history"] if "bleu_last" in entry] for folder in (one, other)]
    assert measured[0] == measured[1]


def at_call(number: int, action: Callable[[], None], function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with something that happens just before its n-th call."""
    calls = iter(range(1, 1_000_000))

    def wrapped(*arguments: Any, **options: Any) -> Any:
        if next(calls) == number:
            action()
        return function(*arguments, **options)

    return wrapped


@pytest.fixture(scope="module")
def whole(recipe: TrainSettings) -> Path:
    """The folder of a run that nothing interrupted; tests must not change it."""
    Trainer(recipe, SHAPE, resume=False).run()
    return recipe.out


@pytest.mark.parametrize("during", ["a step", "validation"])
def test_interrupted_and_resumed(settings: TrainSettings, whole: Path, monkeypatch: pytest.MonkeyPatch, during: str) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    run = Trainer(settings, SHAPE, resume=False)
    with monkeypatch.context() as patch:
        if during == "validation":
            patch.setattr("viz_core.training.loop.translate", at_call(2, interrupt, translate))
        else:
            clip = torch.nn.utils.clip_grad_norm_
            patch.setattr(torch.nn.utils, "clip_grad_norm_", at_call(12, lambda: signal.raise_signal(signal.SIGTERM), clip))
        with pytest.raises(KeyboardInterrupt):
            run.run()
    assert during == "validation" or progress(settings.out)["step"] == 12  # the step that was going on is complete
    Trainer(settings, SHAPE, resume=True).run()
    same_end(whole, settings.out)


def test_a_disk_that_fills_up_leaves_the_last_state(settings: TrainSettings, whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        fill = lambda: patch.setattr("os.fsync", lambda _: full())  # noqa: E731
        # One save at the start, two at the end of each epoch: the last of the five meets the full disk.
        patch.setattr("viz_core.training.loop.save_state", at_call(5, fill, save_state))
        with pytest.raises(OSError, match="No space left"):
            Trainer(settings, SHAPE, resume=False).run()
    assert progress(settings.out)["measured"] == 1
    Trainer(settings, SHAPE, resume=True).run()
    same_end(whole, settings.out)


def test_another_run_is_not_overwritten_and_not_mixed_in(whole: Path, settings: TrainSettings) -> None:
    with pytest.raises(CheckpointError, match="nothing to resume from"):
        Trainer(settings, SHAPE, resume=True)
    shutil.copytree(whole, settings.out)
    with pytest.raises(CheckpointError, match=r"already holds training-state\.safetensors and config\.json"):
        Trainer(settings, SHAPE, resume=False)
    with pytest.raises(CheckpointError, match="saved with n_heads 2, this run has 4"):
        Trainer(settings, SHAPE | {"n_heads": 4}, resume=True)
    (settings.out / FILE).write_bytes((whole / FILE).read_bytes()[:5000])
    with pytest.raises(CheckpointError, match="not the state of this model"):
        Trainer(settings, SHAPE, resume=True)


def test_learns_to_copy(tmp_path: Path) -> None:
    words = ["tea", "jam", "egg", "pie", "nut", "fig", "rye"]
    lines = [(text, text) for text in (f"{a} {b} {c}" for a in words for b in words for c in words)]
    shape = SHAPE | {"d_model": 32, "dropout": 0.0}
    recipe: dict[str, Any] = {"epochs": 5, "tokens": 40, "warmup": 50, "learning_rate": 0.25, "smoothing": 0.0}
    settings = small_settings(
        tmp_path, lines[::20] + [line for at, line in enumerate(lines) if at % 20], valid=18, vocab_size=420, **recipe
    )
    trainer = Trainer(settings, shape, resume=False)
    trainer.run()
    losses = [entry["loss"] for entry in trainer.progress.history if "loss" in entry]
    assert losses[-1] < losses[0] / 2
    sources = [source for source, _ in trainer.valid]
    answers = translate(made(trainer.model.eval(), trainer.tokenizer), sources)
    assert sum(answer == source for answer, source in zip(answers, sources, strict=True)) > len(sources) / 2


def test_the_history_has_the_learning_rate_that_each_step_used(settings: TrainSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for every step, beside what the optimizer really took."""
    monkeypatch.setattr("viz_core.training.loop.LOG_EVERY", 1)
    trainer = Trainer(settings, SHAPE, resume=False)
    used: list[float] = []
    trainer.optimizer.register_step_pre_hook(lambda optimizer, *_: used.append(optimizer.param_groups[0]["lr"]))
    trainer.run()
    logged = [entry["lr"] for entry in trainer.progress.history if "lr" in entry]
    assert len(set(used)) > 10
    assert logged == pytest.approx(used, rel=1e-12)
