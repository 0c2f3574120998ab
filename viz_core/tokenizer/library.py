"""Vocabularies that other libraries split for: those of the tokenizers library, and whole words as split by spaCy.

The tokenizers library splits the text by the rules in its file: byte-level byte-pair encoding (Radford et al. 2019) as in BART,
which merges pairs of bytes, so that nothing is unknown, or unigram as in mBART. Of whole words, as in tutorials, those outside the
vocabulary are unknown.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import tokenizers

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError, TextError
from viz_core.tokenizer.base import SPACE, Tokenizer, codes_of
from viz_core.words import Token, Word


def _signs() -> dict[str, int]:
    """The printable character for each byte in a byte-level vocabulary → the byte."""
    printed = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printed]
    return {chr(byte): byte for byte in printed} | {chr(256 + n): byte for n, byte in enumerate(others)}


SIGNS = _signs()
BLANK = "Ġ"  # the character for the byte of a space


class LibraryTokenizer(Tokenizer):
    """A vocabulary, and the library's tokenizer that splits a text into its entries.

    Attributes:
        of_bytes: whether its entries are merged bytes; otherwise they are pieces of a unigram model.
    """

    def __init__(self, backend: tokenizers.Tokenizer, vocab: list[str], config: ModelConfig) -> None:
        super().__init__(vocab, config.special_ids, config.pad_id)
        self._backend = backend
        self.of_bytes = isinstance(backend.model, tokenizers.models.BPE)

    @classmethod
    def from_content(cls, content: dict[str, Any], vocab: list[str], config: ModelConfig) -> Self:
        """A tokenizer from the fields of a tokenizer.json, changed so that no typed text can become a special or an added token.

        Raises:
            ConfigError: the library cannot read it.
        """
        try:
            added = [int(token["id"]) for token in content.get("added_tokens") or []]
            model = _without(content["model"], {*config.special_ids, *added})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ConfigError(f"not a vocabulary: {error!r}") from error
        return cls(library_tokenizer({**content, "model": model, "added_tokens": [], "post_processor": None}), vocab, config)

    @classmethod
    def from_json(cls, text: str, config: ModelConfig) -> Self:
        fields = json.loads(text)
        try:
            return cls.from_content(fields["backend"], [str(token) for token in fields["vocab"]], config)
        except (KeyError, TypeError) as error:
            raise ConfigError(f"not a vocabulary of the tokenizers library: {error!r}") from error

    def to_json(self) -> str:
        fields = {"type": "tokenizers", "backend": json.loads(self._backend.to_str()), "vocab": self.vocab}
        return json.dumps(fields, ensure_ascii=False)

    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        encoded = self._encoded(text)
        owners = {place: index for index, word in enumerate(words) for place in range(word.start, word.end)}
        tokens, previous = [], None
        for i, (begin, end) in zip(encoded.ids, encoded.offsets, strict=True):
            start = next((place for place in range(begin, end) if not text[place].isspace()), end)
            owner = owners.get(start, previous if previous is not None else 0 if words else None)
            label = text[start:end] if i in self.specials else self.token_text(i)  # an unknown one, as typed
            tokens.append(Token(i, label or self.token_text(i), owner, start, end, first=owner != previous))
            previous = owner
        return tokens

    def word_ids(self, word: str, spaced: bool) -> list[int]:
        return list(self._encoded(f" {word}" if spaced and self.of_bytes else word).ids)

    def _encoded(self, text: str) -> tokenizers.Encoding:
        try:
            return self._backend.encode(text, add_special_tokens=False)
        except BaseException as error:
            _reraise_unless_library(error)
            raise TextError(f"the vocabulary's own rules cannot read this text: {error}") from error

    def token_text(self, token_id: int) -> str:
        if token_id in self.specials or not self.of_bytes:
            return super().token_text(token_id)
        raw = self.spelt(token_id).removeprefix(b" ")
        try:
            return raw.decode() or SPACE
        except UnicodeDecodeError:
            return "".join(f"⟨{byte:02X}⟩" for byte in raw)

    def starts_word(self, token_id: int) -> bool:
        return self.vocab[token_id].startswith(BLANK if self.of_bytes else SPACE)

    def spelt(self, token_id: int) -> bytes:
        if token_id in self.specials or not self.of_bytes:
            return super().spelt(token_id)
        return self._spelt[token_id]

    @cached_property
    def _spelt(self) -> list[bytes]:
        own = self._backend.get_vocab(with_added_tokens=False)  # added tokens and unused rows are not written in SIGNS
        return [bytes(SIGNS[sign] for sign in token if sign in SIGNS) if token in own else token.encode() for token in self.vocab]


def library_tokenizer(content: dict[str, Any]) -> tokenizers.Tokenizer:
    """The library's tokenizer from the fields of a tokenizer.json, for texts of any length.

    Raises:
        ConfigError: the library cannot read it.
    """
    try:
        return tokenizers.Tokenizer.from_str(json.dumps({**content, "truncation": None, "padding": None}))
    except BaseException as error:
        _reraise_unless_library(error)
        raise ConfigError(f"not a vocabulary: {error}") from error


def _reraise_unless_library(error: BaseException) -> None:
    """The library raises bare Exception and, when its Rust code panics, a BaseException that it does not export."""
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error


def _without(model: dict[str, Any], hidden: set[int]) -> dict[str, Any]:
    """A unigram model in which the pieces with these ids match no text: they get a space, which the library turns into ▁ in texts.

    They keep their places, so that the other ids stay. Byte-pair encoding needs no such care: no merges lead to ⟨/s⟩.
    """
    if model["type"] != "Unigram":
        return model
    pieces = [[f" {i}" if i in hidden else piece, score] for i, (piece, score) in enumerate(model["vocab"])]
    return {**model, "vocab": pieces}


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
