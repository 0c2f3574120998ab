"""What cannot be imported is refused in one sentence that names the fault, and nothing is written."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from tests.importing.conftest import marian
from tests.importing.spoil import Spoil, at_once, changed, cut, huge, pipe, repacked, tensors, without, words
from tests.importing.test_own_models import Seq2Seq, vocabulary
from viz_core.cli import main


@pytest.fixture(scope="session")
def whole(
    tmp_path_factory: pytest.TempPathFactory, new_marian_folder: Callable[[], Path], vocab: dict[str, int]
) -> dict[str, Path]:
    """Two folders that can be imported: of Marian, and of a torch.nn.Transformer."""
    opus, own = new_marian_folder(), tmp_path_factory.mktemp("torch")
    marian(vocab).save_pretrained(opus)
    (opus / "tokenizer_config.json").write_text('{"source_lang": "en", "target_lang": "de"}')
    torch.save(Seq2Seq(len(vocabulary("de")), len(vocabulary("en"))).state_dict(), own / "best.pt")
    for side, language in (("source", "de"), ("target", "en")):
        (own / f"{side}_vocab.json").write_text(json.dumps(vocabulary(language)))
    (own / "import.json").write_text('{"heads": 4, "languages": ["de", "en"], "lowercase": true}')
    return {"marian": opus, "torch": own}


CASES: dict[str, tuple[str, Spoil, list[str]]] = {
    "truncated safetensors": ("marian", cut("model.safetensors", 5000), ["model.safetensors: not readable"]),
    "truncated state dict": (
        "torch",
        cut("best.pt", 5000),
        ["best.pt: not a whole file of weights", "torch.save(model.state_dict()"],
    ),
    "no weights": ("marian", without("model.safetensors"), ["no weights in it, expected model.safetensors or pytorch_model.bin"]),
    "no import.json": ("torch", without("import.json"), ["import.json: missing in "]),
    "a tensor too few": (
        "marian",
        tensors(lambda t: t.pop("model.decoder.layers.1.fc2.bias")),
        ["model.safetensors: model.decoder.layers.1.fc2.bias is missing, expected one of shape (32,)"],
    ),
    "a tensor too many": (
        "marian",
        tensors(lambda t: t.update(extra=torch.zeros(1))),
        ["model.safetensors: no place in this model for extra; if the model does not use it, save"],
    ),
    "no number": (
        "marian",
        tensors(lambda t: t["model.encoder.layers.0.fc1.bias"].fill_(float("nan"))),
        ["model.encoder.layers.0.fc1.bias holds something that is not a finite number"],
    ),
    "100 GB of zeros": ("torch", huge, ["best.pt: generator.weight is (100000, 100000), more than the "]),
    "compressed": ("torch", repacked, ["best.pt: not a whole file of weights (a compressed archive)"]),
    "vocabulary of another size": ("marian", changed("vocab.json", more=10**4), ["vocab.json: ", "tokens, expected the ids 0 to "]),
    "words of another number": (
        "torch",
        words(["<unk>", "<pad>", "<bos>", "<eos>", "das"]),
        ["source_vocab.json: 5 words, expected ", "the rows of src_tok_emb.embedding.weight"],
    ),
    "a vocabulary outside": (
        "torch",
        changed("import.json", source_vocab="../../etc/passwd"),
        ["'../../etc/passwd' is not a file in this folder"],
    ),
    "pipe": ("marian", pipe("model.safetensors"), ["model.safetensors: cannot be read (it is a pipe"]),
    "T5": ("marian", changed("config.json", model_type="t5"), ["config.json: model_type is 't5'", "relative biases"]),
}


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the command where it must fail, and gives what it said."""
    monkeypatch.chdir(tmp_path)

    def run(folder: Path, *more: str) -> str:
        capsys.readouterr()
        assert main(["import", str(folder), "--out", str(tmp_path / "out"), *more]) == 1
        found = capsys.readouterr()
        assert found.out == "" and found.err.startswith("error: ") and found.err.count("\n") == 1, found.err
        return found.err

    return run


@pytest.mark.parametrize(("base", "spoil", "expected"), CASES.values(), ids=CASES)
def test_it_is_refused_in_one_sentence_and_nothing_is_written(
    base: str, spoil: Spoil, expected: list[str], whole: dict[str, Path], tmp_path: Path, refused: Callable[..., str]
) -> None:
    folder = tmp_path / "given"
    shutil.copytree(whole[base], folder)
    spoil(folder)
    if any(each.is_fifo() for each in folder.iterdir()):
        with at_once(next(each for each in folder.iterdir() if each.is_fifo())):
            said = refused(folder)
    else:
        said = refused(folder)
    assert all(each in said for each in expected), said
    assert not (tmp_path / "out").exists()


def test_what_is_there_already_stays(whole: dict[str, Path], tmp_path: Path, refused: Callable[..., str]) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes").write_text("mine")
    assert "there is something already, expected a new folder" in refused(whole["marian"])
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["notes"]
