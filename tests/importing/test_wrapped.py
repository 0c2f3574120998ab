"""However a training has wrapped the weights of one's own model, the same model is read from them; and nothing of the file runs."""

import argparse
import io
import itertools
import json
from collections import UserDict, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.importing.test_own_models import HEADS, Seq2Seq, vocabulary
from viz_core.importing import Options, read_model
from viz_core.importing.source import Imported

State = dict[str, Tensor]


@pytest.fixture(scope="module")
def theirs() -> Seq2Seq:
    torch.manual_seed(3)
    return Seq2Seq(len(vocabulary("de")), len(vocabulary("en")))


@pytest.fixture(scope="module")
def state(theirs: Seq2Seq) -> State:
    return dict(theirs.state_dict())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All but the weights."""
    for side, language in (("source", "de"), ("target", "en")):
        (tmp_path / f"{side}_vocab.json").write_text(json.dumps(vocabulary(language)))
    made = {"norm_first": False, "activation": "relu", "layer_norm_eps": 1e-5, "scaled_embeddings": True}
    (tmp_path / "import.json").write_text(json.dumps({"heads": HEADS, "languages": ["de", "en"], **made}))
    return tmp_path


def assert_read(folder: Path, state: State) -> Imported:
    """It is the model whose state dict this is."""
    found = read_model(folder, Options())
    assert torch.equal(found.weights["source_embedding.weight"], state["src_tok_emb.embedding.weight"])
    assert torch.equal(found.weights["generator.bias"], state["generator.bias"])
    norm = state["transformer.decoder.layers.1.norm3.weight"]
    assert torch.equal(found.weights["decoder.layers.1.add_ffn.norm.gamma"], norm)
    return found


def before(prefix: str, state: State) -> State:
    return {prefix + name: tensor for name, tensor in state.items()}


def trained(state: State) -> dict[str, Any]:
    """The state of an optimizer of a model of this shape."""
    moments = {n: {"step": torch.tensor(3.0), "exp_avg": each, "exp_avg_sq": each} for n, each in enumerate(state.values())}
    return {"state": moments, "param_groups": [{"lr": 0.1, "params": list(moments)}]}


PREFIXES = [
    "module.",
    "module._orig_mod.model.",
    "model.net.module.",
]
NAMESPACE = argparse.Namespace(layers=6, out=Path("runs"), odd=complex(1, 2), kinds={1, 2})
NAMESPACE.counts, NAMESPACE.settings, NAMESPACE.last = defaultdict(int, a=1), UserDict(lr=0.1), deque([0.5])
BESIDE = {"epoch": 3, "best_loss": torch.tensor(0.5), "rng": torch.zeros(9, dtype=torch.uint8), "losses": torch.zeros(3)}
WRAPPINGS: dict[str, Callable[[State], Any]] = {
    "model, optimizer, args": lambda s: {"model": s, "optimizer": trained(s), "args": NAMESPACE, **BESIDE},
    "any other key": lambda s: {"weights": {"of": before("_orig_mod.", s)}},
    "a tuple": lambda s: (s, trained(s), 3),
    "named parameters": lambda s: {"model": list(s.items()), "epoch": 3},
    "parts": lambda s: {
        part: {name.partition(".")[2]: each for name, each in s.items() if name.startswith(f"{part}.")}
        for part in dict.fromkeys(name.partition(".")[0] for name in s)
    },
    "Lightning": lambda s: {
        "state_dict": before("model.", s) | {"criterion.weight": torch.ones(9)}, "hyper_parameters": NAMESPACE,
        "optimizer_states": [trained(s)], "callbacks": {"best": {"best_model_score": torch.tensor(0.5)}},
    },
    "averaged": lambda s: before("module.", s) | {"n_averaged": torch.tensor(3)},
}  # fmt: skip


@pytest.mark.parametrize(("prefix", "file"), zip(PREFIXES, itertools.cycle(["best.pt", "model.safetensors"]), strict=False))
def test_what_all_names_share_is_stripped(prefix: str, file: str, folder: Path, state: State) -> None:
    (save_file if file.endswith("safetensors") else torch.save)(before(prefix, state), folder / file)
    assert assert_read(folder, state).notes == ()


@pytest.mark.parametrize("wrapped", WRAPPINGS.values(), ids=WRAPPINGS)
def test_what_holds_the_tensors_is_found(wrapped: Any, folder: Path, state: State) -> None:
    for archive in (True, False):  # and as versions before 1.6 saved it
        torch.save(wrapped(state), folder / "best.ckpt", _use_new_zipfile_serialization=archive)
        assert_read(folder, state)


def test_of_two_models_one_is_read_and_that_is_told(folder: Path, state: State) -> None:
    other = {name: each * 2 if each.is_floating_point() else each for name, each in state.items()}
    for content in (
        {"ema": {"shadow": other}, "model": before("module.", state)},
        before("online.", state) | before("ema_model.", other),
    ):
        torch.save(content, folder / "best.pt")
        (note,) = assert_read(folder, state).notes
        assert "holds 2 models" in note and "ema" in note


class Runs:
    """Leaves a file where a pickle is opened that holds it."""

    def __reduce__(self) -> Any:
        return io.open, ("ran", "w")


def test_nothing_of_the_file_runs(folder: Path, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for archive in (True, False):
        torch.save({"model": state, "args": Runs()}, folder / "best.pt", _use_new_zipfile_serialization=archive)
        assert_read(folder, state)
        assert not (folder / "ran").exists()


@pytest.mark.parametrize("end", ["safetensors", "bin"])
@pytest.mark.parametrize("index", [True, False], ids=["index", "names"])
def test_weights_in_several_files(end: str, index: bool, folder: Path, state: State) -> None:
    files = [f"model-{at:05}-of-00002.{end}" for at in (1, 2)]
    places = {name: files[at % 2] for at, name in enumerate(state)}
    for file in files:
        part = {name: each for name, each in state.items() if places[name] == file}
        (save_file if end == "safetensors" else torch.save)(part, folder / file)
    if index:
        (folder / f"model.{end}.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    assert_read(folder, state)
