"""Characters, words, tokens and ids are below each other in the right columns."""

import unicodedata

import pytest

from pages.tokens.compute import BLANK, block_of, blocks, merge_rows, mergeable_pairs
from viz_core.tokenizer import BpeTokenizer, Tokenizer


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return BpeTokenizer.train(["▁low", "▁low", "▁lower", "▁newest", "▁newer", "ing", ".", ","] * 4, 400)


def test_bytes_are_below_the_character_that_they_spell(tokenizer: Tokenizer) -> None:
    (block,) = blocks(tokenizer.encode("Ж北", "en"), tokenizer)
    assert [(span.text, span.width) for span in block.letters] == [(BLANK, 1), ("Ж", 2), ("北", 3)]
    assert [token.text for token in block.tokens][1:] == ["⟨D0⟩", "⟨96⟩", "⟨E5⟩", "⟨8C⟩", "⟨97⟩"]
    assert [token.start for token in block.tokens] == list(range(6))
    assert block.word is not None and (block.word.start, block.word.width) == (1, 5)


def test_nothing_is_lost_of_any_unicode(tokenizer: Tokenizer) -> None:
    text = "a\0b ▁x é e\u0301 </script> 👨\u200d👩 $x$  *y*"
    tokenized = tokenizer.encode(text, "en")
    parts = blocks(tokenized, tokenizer)
    assert "".join(span.text for block in parts for span in block.letters if span.text != BLANK) == "".join(
        w.text for w in tokenized.words
    )
    assert [token.id for block in parts for token in block.tokens] == tokenized.ids


def test_merge_rows_go_from_letters_to_the_tokens_of_the_text(tokenizer: Tokenizer) -> None:
    parts = blocks(tokenizer.encode("low lowxnewest", "en"), tokenizer)
    assert [block_of(parts, at) for at in range(sum(len(block.tokens) for block in parts))] == [0, *[1] * len(parts[1].tokens)]
    merges = tokenizer.merges("lowxnewest", spaced=True)
    rows = merge_rows(tokenizer.letters("lowxnewest", spaced=True), merges)
    assert len(rows) == len(merges) + 1
    assert [(s.text, s.start, s.width) for s in rows[-1].tokens] == [(s.text, s.start, s.width) for s in parts[1].tokens]
    joined = rows[1].tokens[rows[1].joined or 0]
    assert joined.width == 2
    assert "".join(mergeable_pairs(merges[0])[0][:2]) == joined.text


@pytest.mark.parametrize("text", ["cafe\u0301", "x\u0323\u0301", "e\u0323\u0301"])
def test_a_mark_stands_on_its_letter(tokenizer: BpeTokenizer, text: str) -> None:
    (block,) = blocks(tokenizer.encode(text, "en"), tokenizer)
    letters = [letter.text for letter in block.letters if letter.text != "␣"]
    assert "".join(letters) == text
    assert letters[-1] == text[-len(letters[-1]) :]
    assert not any(unicodedata.combining(letter[0]) for letter in letters)
    assert block.letters[-1].start + block.letters[-1].width == block.tokens[-1].start + block.tokens[-1].width
