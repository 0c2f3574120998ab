"""Folders of transformers in other files than its own newest: in several, wrapped, or with an older vocabulary."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from tests.importing.conftest import hostile, lines
from tests.importing.test_bart import SHAPE, SPECIAL, TYPED, shaken
from tests.importing.test_tied import difference, folders, given  # noqa: F401
from viz_core.checkpoint import load
from viz_core.cli import main
from viz_core.importing import Options, read_model
from viz_core.importing.write import save

State = dict[str, Tensor]
SHARDS = {
    "safetensors": ("model-{:05}-of-00003.safetensors", "model.safetensors.index.json", save_file),
    "bin": ("pytorch_model-{:05}-of-00003.bin", "pytorch_model.bin.index.json", torch.save),
}
WRAPPINGS: dict[str, Callable[[State], Any]] = {
    "beside another": lambda s: {"lm_head.weight": s["model.shared.weight"]} | {f"bart.{name}": each for name, each in s.items()},
    "Lightning": lambda s: {"state_dict": {f"model.{name}": each for name, each in s.items()}, "hyper_parameters": {"lr": 0.1}},
}


def state_of(folder: Path) -> State:
    """Its tensors, in place of the file that held them."""
    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    return state


@pytest.mark.parametrize("form", SHARDS)
def test_weights_in_several_files_of_transformers(form: str, given: Any) -> None:  # noqa: F811
    folder = given("bart", {})
    state, (file, index, write) = state_of(folder), SHARDS[form]
    places = {name: file.format(at % 3 + 1) for at, name in enumerate(state)}
    for each in set(places.values()):
        write({name: tensor for name, tensor in state.items() if places[name] == each}, folder / each)  # type: ignore[operator]
    (folder / index).write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes


@pytest.mark.parametrize("wrapped", WRAPPINGS.values(), ids=WRAPPINGS)
def test_wrapped_weights_are_compared_with_transformers(wrapped: Any, given: Any) -> None:  # noqa: F811
    folder = given("marian", {})
    torch.save(wrapped(state_of(folder)), folder / "best.ckpt")
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes


@pytest.mark.parametrize(("blank", "end"), [(False, "\n"), (True, "\r\n")])
def test_bart_with_vocab_and_merges(blank: bool, end: str, tmp_path: Path) -> None:
    import tokenizers
    from transformers import BartConfig, BartForConditionalGeneration, BartTokenizer

    made = tokenizers.ByteLevelBPETokenizer()
    made.train_from_iterator(lines("en"), vocab_size=500, special_tokens=[*SPECIAL, "<mask>"], show_progress=False)
    made.save_model(str(tmp_path))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"add_prefix_space": blank}))
    theirs = BartTokenizer.from_pretrained(tmp_path)
    merges = (tmp_path / "merges.txt").read_text("utf-8")
    (tmp_path / "merges.txt").write_text(merges, "utf-8", newline=end)
    shaken(BartForConditionalGeneration(BartConfig(**SHAPE, vocab_size=500, decoder_start_token_id=2))).save_pretrained(tmp_path)
    save(read_model(tmp_path, Options("en", "en")), tmp_path / "out", "here", half=False)
    ours = load(tmp_path / "out")
    for text in [*lines("en")[:250], *hostile(250), *TYPED]:
        expected = theirs(text, split_special_tokens=True)["input_ids"]
        assert ours.config.framed(ours.encode(text, "source").ids) == expected, repr(text)


DAMAGED: dict[str, tuple[dict[str, bytes], str]] = {
    "no start": ({"vocab.json": b'{"a": 0}', "merges.txt": b""}, "vocab.json: no '<s>', which stands around each text"),
    "a list": ({"vocab.json": b"[]", "merges.txt": b""}, "vocab.json: expected tokens with their ids"),
    "bytes": ({"vocab.json": b'{"<s>": 0, "</s>": 2}', "merges.txt": b"\xff"}, "merges.txt: not UTF-8"),
    "a pair of three": ({"vocab.json": b'{"<s>": 0, "</s>": 2}', "merges.txt": b"a b c"}, "vocab.json: not a vocabulary"),
    "a pair of strangers": ({"vocab.json": b'{"<s>": 0, "</s>": 2}', "merges.txt": b"x y"}, "vocab.json: not a vocabulary"),
    "no merges": ({"vocab.json": b'{"<s>": 0, "</s>": 2}'}, "tokenizer.json: missing in "),
}


@pytest.mark.parametrize(("files", "said"), DAMAGED.values(), ids=DAMAGED)
def test_merges_that_are_wrong(files: Any, said: str, given: Any, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    folder = given("bart", {})
    (folder / "tokenizer.json").unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    assert main(["import", str(folder), "--languages", "en,en", "--out", str(folder / "out")]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"error: {said}") and told.count("\n") == 1, told


@pytest.mark.parametrize("more", [[], ["--half"]])
def test_the_card_says_how_it_was_compared_and_where_it_lies(
    more: list[str],
    given: Any,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "my models" / "de"
    assert main(["import", str(given("bart", {})), "--languages", "en,de", "--out", str(out), *more]) == 0
    card = (out / "CARD.md").read_text("utf-8")
    (said,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("compared with BartFor")]
    assert f"\n- {said}\n" in card and "the logits differ by" in said
    assert f"heads '{out}'" in card and f"--checkpoint '{out}'" in card and "checkpoints/" not in card
