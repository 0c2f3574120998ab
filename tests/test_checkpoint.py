"""What was saved comes back; what is damaged, foreign or hostile is refused by name before it can do anything."""

import json
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from tests.conftest import Batch, MakeModel, made
from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.errors import CheckpointError
from viz_core.files import sha256
from viz_core.model import Transformer
from viz_core.tokenizer import BpeTokenizer, Tokenizer


@pytest.fixture
def folder(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A copy that may be damaged."""
    return Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny"))


def change_config(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes config.json the way a clever forger would: its own hash is removed."""
    config = json.loads((folder / "config.json").read_text())
    config["sha256"].pop("settings", None)
    change(config)
    (folder / "config.json").write_text(json.dumps(config))


def replace_file(folder: Path, name: str, content: bytes) -> None:
    """Replaces a file and its hash."""
    (folder / name).write_bytes(content)
    change_config(folder, lambda config: config["sha256"].update({name: sha256(content)}))


def refused(folder: Path) -> str:
    """What `load` says, and `verify`, too, by which the app decides what it offers."""
    with pytest.raises(CheckpointError) as error:
        checkpoints.load(folder)
    with pytest.raises(CheckpointError, match=f"^{re.escape(str(error.value))}$"):
        checkpoints.verify(folder)
    return str(error.value)


def test_what_was_saved_comes_back(checkpoint: Checkpoint, model: Transformer, tokenizer: Tokenizer, batch: Batch) -> None:
    assert checkpoint.config == model.config
    assert checkpoint.tokenizer.vocab == tokenizer.vocab
    assert (checkpoint.source_language, checkpoint.target_language) == ("en", "de")
    for name, parameter in checkpoint.model.named_parameters():
        assert torch.equal(parameter, model.get_parameter(name).half().float()), name
        assert parameter.dtype == torch.float32
    assert not checkpoint.model.training
    assert torch.allclose(checkpoint.model(*batch), model(*batch), atol=0.02)


@pytest.mark.parametrize("fields", [{"norm": "post"}, {"tied_embeddings": False}])
def test_every_variant_comes_back(
    make_model: MakeModel, tokenizer: Tokenizer, batch: Batch, tmp_path: Path, fields: dict[str, Any]
) -> None:
    model = make_model(**fields)
    checkpoints.save(tmp_path, made(model, tokenizer), dtype=torch.float32)
    assert torch.equal(checkpoints.load(tmp_path).model(*batch), model(*batch))


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_or_cut_or_changed_file_is_named(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    assert refused(folder).startswith(f"{name}: missing")
    (folder / name).write_bytes(whole[: len(whole) // 2])
    assert refused(folder).startswith(f"{name}: ")
    (folder / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))  # one bit
    assert refused(folder).startswith(f"{name}: ")
    (folder / name).write_bytes(b"")
    assert refused(folder).startswith(f"{name}: ")


def test_a_setting_that_was_changed_by_hand_is_noticed(folder: Path) -> None:
    text = (folder / "config.json").read_text()
    (folder / "config.json").write_text(text.replace('"n_heads": 4', '"n_heads": 8'))  # fits all shapes, means another model
    assert "config.json: its settings are not those that were saved" in refused(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.update(version=2), "config.json: version 2, this program reads version 1"),
        (lambda c: c.pop("model"), "config.json: 'model' is missing"),
        (lambda c: c.update(source_language="../x"), "config.json: source_language is '../x'"),
        (lambda c: c["model"].update(n_layers=10**9), "2 encoder layers, expected 1000000000"),
        (lambda c: c["model"].update(d_ff=10**30), f"expected ({10**30}, 32)"),
        (lambda c: c["model"].update(n_heads=3), "d_model 32 is not divisible by n_heads 3"),
        (lambda c: c["model"].update(norm="post"), "tensors, found"),
        (lambda c: c["model"].update(extra=1), "config.json: unknown model settings: extra"),
    ],
)
def test_a_foreign_or_hostile_config_is_refused(folder: Path, change: Callable[[dict[str, Any]], object], said: str) -> None:
    change_config(folder, change)
    assert said in refused(folder)


W_K, W_2, BETA = "decoder.layers.1.cross_attn.w_k.weight", "encoder.layers.0.ffn.w_2.bias", "decoder.norm.beta"


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: t.update({W_K: torch.zeros(32, 31)}), "decoder.layers.1.cross_attn.w_k.weight is (32, 31), expected (32, 32)"),
        (
            lambda t: t[W_2].fill_(float("nan")),
            "layers.0.ffn.w_2.bias holds something that is not a finite number",
        ),
        (lambda t: t.pop(BETA), "the first to differ is 'decoder.norm.beta'"),
    ],
)
def test_weights_that_do_not_fit_are_refused(folder: Path, spoil: Callable[[dict[str, torch.Tensor]], object], said: str) -> None:
    tensors = safetensors.torch.load_file(folder / "model.safetensors")
    spoil(tensors)
    replace_file(folder, "model.safetensors", safetensors.torch.save(tensors))
    message = refused(folder)
    assert message.startswith("model.safetensors: ")
    assert said in message


class Trap:
    """Unpickling it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.write_text, (self.path, "opened")


def test_a_pickle_is_never_opened(folder: Path, tmp_path: Path) -> None:
    replace_file(folder, "model.safetensors", pickle.dumps(Trap(tmp_path / "trap")))
    assert refused(folder).startswith("model.safetensors: not readable")
    torch.save({"weights": Trap(tmp_path / "trap")}, folder / "model.safetensors")
    replace_file(folder, "model.safetensors", (folder / "model.safetensors").read_bytes())
    assert refused(folder).startswith("model.safetensors: not readable")
    assert not (tmp_path / "trap").exists()


def test_a_vocabulary_of_another_size_is_refused(folder: Path, pairs: list[tuple[str, str]]) -> None:
    other = BpeTokenizer.train(["▁a"], 400)
    replace_file(folder, "tokenizer.json", other.to_json().encode())
    assert f"tokenizer.json: {len(other)} tokens, but the model has 560" in refused(folder)


def test_a_full_disk_leaves_the_old_checkpoint(
    folder: Path, make_model: MakeModel, tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = checkpoints.load(folder).digest
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        checkpoints.save(folder, made(make_model(norm="post"), tokenizer))
    assert checkpoints.load(folder).digest == before
