"""Models whose matrices have more rows than their vocabulary has tokens, as fine-tuning leaves them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.importing.conftest import marian
from tests.importing.parity import assert_same_numbers
from tests.importing.test_bart import SHAPE, bart_tokenizer, shaken  # noqa: F401
from viz_core.checkpoint import Checkpoint, load
from viz_core.explain import explain
from viz_core.importing import Options, read_model
from viz_core.importing.write import save

SOURCES, TARGETS = [[17, 25, 33, 41, 60, 0], [70, 71, 0]], [[90, 91, 92], [93, 94]]
RESIZED: dict[str, tuple[dict[str, Any], Callable[[Any, int], object]]] = {
    "a multiple of 8": ({}, lambda model, rows: model.resize_token_embeddings(-(-rows // 8) * 8)),
    "one side": (
        {"share_encoder_decoder_embeddings": False},
        lambda model, rows: model.resize_decoder_token_embeddings(rows + 3),
    ),
}


def imported(folder: Path, languages: tuple[str, str]) -> tuple[Checkpoint, tuple[str, ...]]:
    read = read_model(folder, Options(*languages, 40))
    save(read, folder / "out", "here", half=False)
    return load(folder / "out"), read.notes


@pytest.mark.parametrize(("fields", "resize"), RESIZED.values(), ids=RESIZED)
def test_rows_without_a_token_are_unused(
    fields: dict[str, Any], resize: Callable[[Any, int], object], marian_folder: Path, vocab: dict[str, int]
) -> None:
    theirs, rows = marian(vocab, **fields), len(vocab)
    resize(theirs, rows)
    theirs.save_pretrained(marian_folder)
    ours, _ = imported(marian_folder, ("en", "de"))
    pad = ours.config.pad_id
    assert ours.config.target_vocab == theirs.lm_head.weight.shape[0] > rows
    assert ours.tokenizer.vocab[rows:] == [f"<unused {i}>" for i in range(rows, ours.config.target_vocab)]
    assert_same_numbers(theirs, ours, SOURCES, [[pad, *row, rows] for row in TARGETS])
    assert explain(ours, "The cat sleeps.", f"Die <unused {rows}>").target.tokens[-1].id < rows  # no typed text is one


def test_bart_with_added_tokens_and_rows(tmp_path: Path, bart_tokenizer: Any) -> None:  # noqa: F811
    from transformers import BartConfig, BartForConditionalGeneration

    tokens = len(bart_tokenizer)
    theirs = shaken(BartForConditionalGeneration(BartConfig(**SHAPE, vocab_size=tokens, decoder_start_token_id=2)))
    bart_tokenizer.save_pretrained(tmp_path)
    file = json.loads((tmp_path / "tokenizer.json").read_text("utf-8"))
    own = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": True, "special": False}
    file["added_tokens"].append({"id": tokens, "content": "café 1", **own})
    (tmp_path / "tokenizer.json").write_text(json.dumps(file))
    theirs.resize_token_embeddings(tokens + 1, pad_to_multiple_of=8)
    theirs.save_pretrained(tmp_path)
    ours, notes = imported(tmp_path, ("en", "en"))
    assert ours.config.target_vocab % 8 == 0 and "café 1" in notes[0]
    assert [ours.tokenizer.token_text(i) for i in (tokens, tokens + 1)] == ["café 1", f"<unused {tokens + 1}>"]
    assert ours.tokenizer.decode([tokens]) == "café 1"
    assert_same_numbers(theirs, ours, [[0, 17, 25, tokens, 2]], [[2, 0, 91, tokens]])
