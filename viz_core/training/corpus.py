"""A corpus of sentence pairs as words, for learning a vocabulary, and as ids, for learning to translate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.training.batches import IdPair
from viz_core.training.pairs import Pair
from viz_core.words import follows_blank, split_words


def learn_tokenizer(pairs: Sequence[Pair], source_language: str, target_language: str, vocab_size: int) -> Tokenizer:
    """One vocabulary for both languages."""

    def words() -> Iterator[str]:
        for pair in pairs:
            for text, language in zip(pair, (source_language, target_language), strict=True):
                for word in split_words(text, language):
                    if SPACE not in word.text:
                        yield (SPACE if follows_blank(text, word) else "") + word.text

    return Tokenizer.train(words(), vocab_size)


def encode_pairs(tokenizer: Tokenizer, pairs: Sequence[Pair], source_language: str, target_language: str) -> list[IdPair]:
    """The ids of each pair, without special tokens."""
    return [
        (tokenizer.encode(source, source_language).ids, tokenizer.encode(target, target_language).ids) for source, target in pairs
    ]
