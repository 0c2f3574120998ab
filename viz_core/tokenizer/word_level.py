"""Vocabularies of whole words, as in tutorials: texts are split by spaCy, and other words are unknown."""

import json
from collections.abc import Sequence
from typing import Self

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.tokenizer.base import Tokenizer
from viz_core.tokenizer.target_codes import codes_of
from viz_core.words import Token, Word


class WordTokenizer(Tokenizer):
    """A vocabulary of words; lowercase: whether texts are lowercased."""

    def __init__(self, vocab: list[str], lowercase: bool, config: ModelConfig) -> None:
        super().__init__(vocab, config.special_ids, config.pad_id)
        self.lowercase = lowercase
        self._ids = {token: i for i, token in enumerate(vocab) if i not in self.specials}
        self._unknown = config.unk_id
        self.target_codes = codes_of(self._ids)

    @classmethod
    def from_json(cls, text: str, config: ModelConfig) -> Self:
        fields = json.loads(text)
        try:
            return cls([str(token) for token in fields["vocab"]], bool(fields["lowercase"]), config)
        except (KeyError, TypeError) as error:
            raise ConfigError(f"not a vocabulary of words: {error!r}") from error

    def to_json(self) -> str:
        return json.dumps({"type": "words", "lowercase": self.lowercase, "vocab": self.vocab}, ensure_ascii=False)

    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        return [
            Token(i, self.token_text(i), n, word.start, word.end)
            for n, word in enumerate(words)
            for i in self.word_ids(word.text, True)
        ]

    def word_ids(self, word: str, spaced: bool) -> list[int]:
        token_id = self._ids.get(word.lower() if self.lowercase and word not in self.target_codes else word, self._unknown)
        if token_id is None:
            raise ConfigError(f"the vocabulary lacks {word!r}, and the model has no unknown token (unk_id)")
        return [token_id]

    def starts_word(self, token_id: int) -> bool:
        return token_id not in self.specials

    def spelt(self, token_id: int) -> bytes:
        return b"" if token_id in self.specials else b" " + self.vocab[token_id].encode()
