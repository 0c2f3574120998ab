"""A Marian model of transformers gives the same numbers and translations after its import, also with more rows than tokens."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.importing.conftest import hostile, lines, marian
from tests.importing.parity import assert_same_numbers, assert_same_translations
from viz_core.checkpoint import Checkpoint, load
from viz_core.explain import explain
from viz_core.importing import Options, read_model
from viz_core.importing.write import as_checkpoint, save

SOURCES = [[17, 25, 33, 41, 60, 0], [70, 71, 0]]
VARIANTS: dict[str, dict[str, Any]] = {
    "opus-mt": {},
    "own generator": {"share_encoder_decoder_embeddings": False, "tie_word_embeddings": False},
}


@pytest.fixture(scope="module", params=list(VARIANTS.values()), ids=list(VARIANTS))
def both(request: pytest.FixtureRequest, new_marian_folder: Callable[[], Path], vocab: dict[str, int]) -> tuple[Any, Checkpoint]:
    """The original, and the checkpoint that was imported from its folder, saved and loaded again."""
    theirs, folder = marian(vocab, **request.param), new_marian_folder()
    theirs.save_pretrained(folder)
    save(read_model(folder, Options("en", "de", 64)), folder / "out", "here", half=False)
    return theirs, load(folder / "out")


def test_logits_attention_weights_and_translations_are_the_same(both: tuple[Any, Checkpoint]) -> None:
    pad = both[1].config.pad_id
    assert_same_numbers(*both, SOURCES, [[pad, 90, 91, 92], [pad, 93, 94]])
    assert_same_translations(*both, SOURCES, bad_words_ids=[[pad]])


def test_the_tokenizer_gives_the_ids_of_marian_on_500_sentences_in_place(marian_folder: Path, vocab: dict[str, int]) -> None:
    from transformers import MarianTokenizer

    marian(vocab).save_pretrained(marian_folder)
    ours = as_checkpoint(read_model(marian_folder, Options("en", "de", 64)), "opus")
    names = ("source.spm", "target.spm", "vocab.json")
    theirs: Any = MarianTokenizer(*(str(marian_folder / name) for name in names), split_special_tokens=True)
    typed = [*lines("en")[:250], *hostile(250), ">>fra<< I love you.", ">>xyz<< no such language", ">>fra<<", "", " ", "A" * 900]
    for text in typed:
        expected = theirs._tokenize(text)
        found = ours.encode(text, "source")
        assert found.ids == [theirs._convert_token_to_id(each) for each in expected], repr(text)
        places = [(token.start, token.end) for token in found.tokens]
        assert places == sorted(places) and all(0 <= start <= end <= len(text) for start, end in places)
        for token in found.tokens:
            word = found.words[token.word] if token.word is not None else None
            assert word is None or token.start == token.end or word.start <= token.start < max(word.end, token.start + 1)
    theirs._switch_to_target_mode()
    for text in [*lines("de")[:100], *hostile(50)]:
        assert ours.encode(text, "target").ids == [theirs._convert_token_to_id(each) for each in theirs._tokenize(text)], repr(text)


RESIZED: dict[str, tuple[dict[str, Any], Callable[[Any, int], object]]] = {
    "a multiple of 8": ({}, lambda model, rows: model.resize_token_embeddings(-(-rows // 8) * 8)),
    "one side": (
        {"share_encoder_decoder_embeddings": False},
        lambda model, rows: model.resize_decoder_token_embeddings(rows + 3),
    ),
}


@pytest.mark.parametrize(("fields", "resize"), RESIZED.values(), ids=RESIZED)
def test_rows_without_a_token_are_unused(
    fields: dict[str, Any], resize: Callable[[Any, int], object], marian_folder: Path, vocab: dict[str, int]
) -> None:
    theirs, rows = marian(vocab, **fields), len(vocab)
    resize(theirs, rows)
    theirs.save_pretrained(marian_folder)
    save(read_model(marian_folder, Options("en", "de", 40)), marian_folder / "out", "here", half=False)
    ours = load(marian_folder / "out")
    pad = ours.config.pad_id
    assert ours.config.target_vocab == theirs.lm_head.weight.shape[0] > rows
    assert ours.tokenizer.vocab[rows:] == [f"<unused {i}>" for i in range(rows, ours.config.target_vocab)]
    assert_same_numbers(theirs, ours, SOURCES, [[pad, 90, 91, 92, rows], [pad, 93, 94, rows]])
    assert explain(ours, "The cat sleeps.", f"Die <unused {rows}>").target.tokens[-1].id < rows  # no typed text is one
