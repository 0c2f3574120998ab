"""However a training has wrapped the weights of one's own model, the same model is read from them; and nothing of the file runs."""

import argparse
import io
import itertools
import json
import random
from collections import UserDict, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from tests.importing.spoil import RAN
from tests.importing.test_own_models import HEADS, Seq2Seq, vocabulary
from viz_core.cli import main
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


PREFIXES = ["module.", "_orig_mod.", "model.", "net.", "module._orig_mod.model.", "model.net.module.", "a.b.c."]
NAMESPACE = argparse.Namespace(layers=6, out=Path("runs"), odd=complex(1, 2), kinds={1, 2})
NAMESPACE.counts, NAMESPACE.settings, NAMESPACE.last = defaultdict(int, a=1), UserDict(lr=0.1), deque([0.5])
BESIDE = {"epoch": 3, "best_loss": torch.tensor(0.5), "rng": torch.zeros(9, dtype=torch.uint8), "losses": torch.zeros(3)}
WRAPPINGS: dict[str, Callable[[State], Any]] = {
    "state_dict": lambda s: {"state_dict": s, "arch": "base"},
    "model, optimizer, args": lambda s: {"model": s, "optimizer": trained(s), "args": NAMESPACE, **BESIDE},
    "another optimizer": lambda s: {"model": s, "optim": {"state": {0: {"sum": torch.ones(3, 3), "step": torch.tensor(1.0)}}}},
    "net": lambda s: {"net": before("module.", s), "acc": 0.5},
    "ema alone": lambda s: {"ema": s, "optimizer": trained(s)},
    "any other key": lambda s: {"weights": {"of": before("_orig_mod.", s)}},
    "a tuple": lambda s: (s, trained(s), 3),
    "named parameters": lambda s: {"model": list(s.items()), "epoch": 3},
    "a list in a list": lambda s: [[s], "notes"],
    "parts": lambda s: {
        part: {name.partition(".")[2]: each for name, each in s.items() if name.startswith(f"{part}.")}
        for part in dict.fromkeys(name.partition(".")[0] for name in s)
    },
    "Lightning": lambda s: {
        "state_dict": before("model.", s) | {"criterion.weight": torch.ones(9)}, "hyper_parameters": NAMESPACE,
        "optimizer_states": [trained(s)], "callbacks": {"best": {"best_model_score": torch.tensor(0.5)}},
    },
    "averaged": lambda s: before("module.", s) | {"n_averaged": torch.tensor(3)},
    "parts wrapped": lambda s: {n.replace("encoder.", "encoder._orig_mod.module.", 1): each for n, each in s.items()},
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


def test_what_a_training_leaves_beside_the_weights_is_not_read(folder: Path, state: State) -> None:
    torch.save(state, folder / "best.pt")
    for name in ("optimizer.pt", "optimizer.bin", "scheduler.pt", "training_args.bin", "rng_state.pth", "scaler.pt"):
        torch.save({"state": {0: torch.ones(3)}}, folder / name)
    assert_read(folder, state)


class Runs:
    """Leaves a file where a pickle is opened that holds it."""

    def __reduce__(self) -> Any:
        return io.open, (RAN, "w")


def test_nothing_of_the_file_runs(folder: Path, state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for archive in (True, False):
        torch.save({"model": state, "args": Runs()}, folder / "best.pt", _use_new_zipfile_serialization=archive)
        assert_read(folder, state)
        assert not (folder / RAN).exists()


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


@pytest.mark.parametrize("file", ["model_best.pth.tar", "best.pkl", "checkpoint", "best.pt"])
def test_a_file_with_another_ending_is_known_by_its_content(file: str, folder: Path, state: State) -> None:
    torch.save({"state_dict": before("module.", state), "arch": "base"}, folder / file)
    (folder / f"._{file}").write_bytes(b"\0\5\x16\7")  # left by macOS
    assert_read(folder, state)


def test_of_a_tensor_in_two_files_the_index_says_which(folder: Path, state: State) -> None:
    one, two = (f"model-{at:05}-of-00002.safetensors" for at in (1, 2))
    save_file(state, folder / one)
    save_file({name: each * 2 for name, each in state.items()}, folder / two)
    index = dict.fromkeys(state, one) | {"none of theirs": two}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
    assert_read(folder, state)


UNREADABLE: dict[str, tuple[str, str]] = {
    "the first file is missing": ("model-00002-of-00002.bin", "model-00001-of-00002.bin: missing in "),
    "a folder below": ("checkpoint-500/model.bin", "no weights in it, expected model.safetensors or "),
    "another library": ("__0_0.distcp", "; __0_0.distcp is none of these"),
    "several": ("one.bin two.bin", "2 files of weights (one.bin, two.bin), expected one: move the others elsewhere"),
}


@pytest.mark.parametrize(("files", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_whole_model_is_told(
    files: str, said: str, folder: Path, state: State, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in files.split():
        (folder / file).parent.mkdir(exist_ok=True)
        torch.save(state, folder / file)
    assert main(["import", str(folder), "--out", str(folder / "out")]) == 1
    told = capsys.readouterr().err
    assert said in told and ("/" not in files or told.endswith("; checkpoint-500 holds some\n")), told


INDICES = {
    "a file that is missing": ({"a": "model-00002-of-00002.bin"}, "model-00002-of-00002.bin: missing in "),
    "a file elsewhere": ({"a": "../best.bin"}, "'../best.bin' is not a file of weights in this folder"),
    "one of two files": ({"a": "m-00001-of-00002.bin"}, "does not name m-00002-of-00002.bin, which lies beside it"),
    "no map": ([], "weight_map is missing, expected the file of each tensor"),
}


@pytest.mark.parametrize(("places", "said"), INDICES.values(), ids=INDICES)
def test_an_index_that_is_wrong(places: Any, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "model.bin.index.json").write_text(json.dumps({"weight_map": places}))
    (folder / "m-00002-of-00002.bin").touch()
    assert main(["import", str(folder), "--out", str(folder / "out")]) == 1
    assert said in capsys.readouterr().err


def test_a_damaged_file_ends_in_one_sentence(
    folder: Path, theirs: Seq2Seq, state: State, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of each kind with some bytes changed, or cut off."""
    draw, old = random.Random(3), {"_use_new_zipfile_serialization": False}
    forms: dict[str, Callable[[Path], object]] = {
        "best.safetensors": lambda path: save_file(state, path),
        "best.pt": lambda path: torch.save(theirs, path),
        "best.bin": lambda path: torch.save({"model": state, "args": NAMESPACE}, path, **old),  # type: ignore[arg-type]
    }
    files = {}
    for name, write in forms.items():
        write(folder / name)
        files[name] = (folder / name).read_bytes()
        (folder / name).unlink()
    for turn in range(24):
        name, content = list(files.items())[turn % 3]
        damaged = bytearray(content)
        for _ in range(draw.choice([1, 3, 20])):
            damaged[draw.randrange(min(len(content), 8000))] = draw.randrange(256)
        path = folder / name
        path.write_bytes(damaged[: draw.randrange(len(content))] if turn % 4 == 3 else damaged)
        out = folder / f"out{turn}"
        code, said = main(["import", str(folder), "--out", str(out)]), capsys.readouterr().err
        if code:
            assert said.startswith("error: ") and said.count("\n") == 1, said
        path.unlink()
