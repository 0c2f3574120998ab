"""What the browser gets of the tokens' page: every token with its id, and how each word comes about."""

from __future__ import annotations

import pytest

from pages.tokens.compute import blocks, built_words, token_text, written_target
from pages.tokens.data import ROWS, merges_payload, spelling_payload
from tests.payloads import unpacked
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

HOSTILE = "The otter </script> \x00 🐱 hides."


@pytest.mark.parametrize("side", ["source", "target"])
def test_tokens_and_ids_are_those_of_the_sentence_and_merges_end_in_them(checkpoint: Checkpoint, side: str) -> None:
    explanation, tokenizer = explain(checkpoint, HOSTILE, "Der Otter <b>bemalt</b> 🐱."), checkpoint.tokenizer
    tokenized = explanation.source if side == "source" else written_target(explanation)
    parts, built = blocks(tokenized, tokenizer), built_words(explanation, tokenizer, side)
    _, spelled = unpacked(spelling_payload(side, parts, dict.fromkeys(ROWS, "")))
    _, merged = unpacked(merges_payload(side, parts, built, 3))
    listed = [token for block in spelled["blocks"] for token in block["tokens"]]
    assert [token[3] for token in listed] == tokenized.ids
    assert [token[0] for token in listed] == [token_text(tokenizer.vocab[i]) for i in tokenized.ids]
    assert merged["counts"] == [len(block["tokens"]) for block in spelled["blocks"]]
    assert (merged["done"], merged["side"], spelled["side"]) == (3, side, side)
    for block, word in zip(spelled["blocks"], merged["words"], strict=True):
        assert (word is None) == (block["word"] is None)
        if word is None:
            continue
        now = word["letters"]
        for at, rank, joined in word["merges"]:
            assert rank > 0
            now = [*now[:at], joined, *now[at + 2 :]]
        assert now == [token[0] for token in block["tokens"]]
        assert "\x00" not in "".join(now) + word["word"]
