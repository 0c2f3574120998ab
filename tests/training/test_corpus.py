"""A vocabulary learnt from both sides, and the ids of each."""

from __future__ import annotations

from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.training.pairs import encode_pairs, learn_tokenizer

Pairs = list[tuple[str, str]]


def test_frequent_words_of_both_languages_become_tokens(tokenizer: Tokenizer) -> None:
    for word in ("otter", "umbrellas", "Regenschirme"):
        assert SPACE + word in tokenizer.vocab


def test_learning_twice_gives_the_same(pairs: Pairs, tokenizer: Tokenizer) -> None:
    assert learn_tokenizer(pairs, "en", "de", 560).to_json() == tokenizer.to_json()


def test_a_typed_space_sign_does_not_enter_the_vocabulary() -> None:
    learned = learn_tokenizer([("a▁b a▁b a▁b", "▁ ▁ ▁")], "en", "de", 400)
    assert not any(SPACE in token[1:] for token in learned.vocab)


def test_ids_are_those_of_each_side(pairs: Pairs, tokenizer: Tokenizer) -> None:
    for (source, target), (source_ids, target_ids) in zip(pairs, encode_pairs(tokenizer, pairs, "en", "de"), strict=True):
        assert tokenizer.decode(source_ids) == source
        assert tokenizer.decode(target_ids) == target
