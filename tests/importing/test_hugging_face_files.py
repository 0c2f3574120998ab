"""Folders of transformers in other files than its own newest: in several, wrapped, or with an older vocabulary."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from tests.importing.conftest import hostile, lines
from tests.importing.test_bart import SHAPE, SPECIAL, TYPED, shaken
from tests.importing.test_tied import difference, folders, given  # noqa: F401
from viz_core.checkpoint import load
from viz_core.importing import Options, read_model
from viz_core.importing.write import save

State = dict[str, Tensor]


def state_of(folder: Path) -> State:
    """Its tensors, in place of the file that held them."""
    state = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    return state


def test_weights_in_several_files_or_wrapped(given: Any) -> None:  # noqa: F811
    folder = given("bart", {})
    state, file = state_of(folder), "model-{:05}-of-00003.safetensors"
    places = {name: file.format(at % 3 + 1) for at, name in enumerate(state)}
    for each in set(places.values()):
        save_file({name: tensor for name, tensor in state.items() if places[name] == each}, folder / each)
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes
    for each in {*places.values(), index.name}:
        (folder / each).unlink()
    torch.save({"state_dict": {f"model.{name}": each for name, each in state.items()}, "lr": 0.1}, folder / "best.ckpt")
    most, notes, _ = difference(folder)
    assert most < 1e-5 and not notes


def test_bart_with_vocab_and_merges(tmp_path: Path) -> None:
    import tokenizers
    from transformers import BartConfig, BartForConditionalGeneration, BartTokenizer

    made = tokenizers.ByteLevelBPETokenizer()
    made.train_from_iterator(lines("en"), vocab_size=500, special_tokens=[*SPECIAL, "<mask>"], show_progress=False)
    made.save_model(str(tmp_path))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"add_prefix_space": True}))
    theirs = BartTokenizer.from_pretrained(tmp_path)
    merges = (tmp_path / "merges.txt").read_text("utf-8")
    (tmp_path / "merges.txt").write_text(merges, "utf-8", newline="\r\n")
    shaken(BartForConditionalGeneration(BartConfig(**SHAPE, vocab_size=500, decoder_start_token_id=2))).save_pretrained(tmp_path)
    save(read_model(tmp_path, Options("en", "en")), tmp_path / "out", "here", half=False)
    ours = load(tmp_path / "out")
    for text in [*lines("en")[:250], *hostile(250), *TYPED]:
        expected = theirs(text, split_special_tokens=True)["input_ids"]
        assert ours.config.framed(ours.encode(text, "source").ids) == expected, repr(text)
