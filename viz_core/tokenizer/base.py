"""Base class of all tokenizers: text → tokens with their places in the text, and ids → the text that they spell.

A code such as `>>fra<<` at the start of a text names the target language, for a model of several (OPUS-MT).
"""

import codecs
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError, TextError
from viz_core.words import Merge, Token, TokenizedText, Word, split_words

CODE = re.compile(r">>.*?<<", re.DOTALL)  # at the start of a text, as transformers' MarianTokenizer finds it
ENTRY = re.compile(r">>[^<>\s]+<<")
COMMON = ("eng", "fra", "deu", "spa", "ita", "por", "rus", "cmn_Hans", "zho", "jpn", "ara")
NAMED = 8  # how many a message lists


def codes_of(vocab: Iterable[str]) -> tuple[str, ...]:
    """The codes in a vocabulary, those of widely spoken languages first, the rest sorted."""
    first = {f">>{code}<<": i for i, code in enumerate(COMMON)}
    return tuple(sorted((entry for entry in vocab if ENTRY.fullmatch(entry)), key=lambda code: (first.get(code, len(first)), code)))


def some(codes: Sequence[str]) -> str:
    """The first of these codes, and their number if there are more."""
    return ", ".join(codes[:NAMED]) + (f" … ({len(codes)})" if len(codes) > NAMED else "")


def problem(codes: Sequence[str], text: str) -> tuple[str, dict[str, str]] | None:
    """The problem with a text's code, as the name of a notice in `viz_core/app/en.toml` and its values; None if there is none.

    Args:
        codes: of the model; empty if it has one target language.
    """
    match = CODE.match(text)
    if not codes or not text.strip() or (match and match[0] in codes):
        return None
    if match is None:
        return "code_wanted", {"codes": some(codes), "example": f"{codes[0]} {text.strip()[:40]}"}
    return "code_unknown", {"code": match[0][:40], "codes": some(codes)}


SPACE = "▁"  # leads a token that follows a space, as in SentencePiece (Kudo & Richardson 2018)


class Tokenizer(ABC):
    """A vocabulary, and the conversion between text and its ids.

    Attributes:
        vocab: id → entry as written in the vocabulary.
        specials: id → label of a token that stands for no text.   pad_id: that of padding.
        byte_ids: the ids of the 256 bytes, or none.
        target_codes: entries that begin a text and name its target language, such as `>>fra<<`; mostly none.
    """

    byte_ids: range = range(0)
    target_codes: tuple[str, ...] = ()

    def __init__(self, vocab: list[str], special_ids: Iterable[int], pad_id: int) -> None:
        self.vocab, self.pad_id = vocab, pad_id
        special_ids = list(special_ids)
        if beyond := [i for i in special_ids if i >= len(vocab)]:
            raise ConfigError(f"the vocabulary has {len(vocab):,} tokens, and no id {beyond[0]:,}, which is a special token's")
        self.specials = {i: vocab[i].replace("<", "⟨").replace(">", "⟩") for i in special_ids}

    def __len__(self) -> int:
        return len(self.vocab)

    @classmethod
    @abstractmethod
    def from_json(cls, text: str, config: ModelConfig) -> Self:
        """The inverse of to_json; ConfigError if the text is not such a vocabulary."""

    @abstractmethod
    def to_json(self) -> str:
        """The vocabulary, and the rules for splitting a text."""

    @abstractmethod
    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        """The tokens of a text with these words."""

    @abstractmethod
    def word_ids(self, word: str, spaced: bool) -> list[int]:
        """The ids of one word; spaced: whether it follows a space."""

    def encode(self, text: str, language: str) -> TokenizedText:
        """The tokens of a text, without special ones.

        Raises:
            TextError: the text has a lone surrogate, which no encoding can write.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TextError(f"character {error.start + 1} of the text is half of a pair and cannot be written") from error
        words = self.words(text, language)
        return TokenizedText(text, words, tuple(self.encode_words(text, words)))

    def words(self, text: str, language: str) -> tuple[Word, ...]:
        """The words of a source text, or of a typed target; a code of the target language is one."""
        if not (code := self.code(text)):
            return split_words(text, language)
        rest = (Word(w.text, w.start + code.end(), w.end + code.end()) for w in split_words(text[code.end() :], language))
        return Word(code[0], 0, code.end()), *rest

    def code(self, text: str) -> re.Match[str] | None:
        """A code of the target language at the start of a text."""
        return CODE.match(text) if self.target_codes else None

    def normalized(self, text: str) -> str:
        """The text in the normalized form of the vocabulary's entries."""
        return text

    def read(self, ids: Sequence[int], language: str) -> TokenizedText:
        """The text that these ids spell, with words and tokens; special tokens spell nothing."""
        text = self.decode(ids)
        words = split_words(text, language)
        word_at = {place: index for index, word in enumerate(words) for place in range(word.start, word.end)}
        tokens, previous = [], None
        for i, (start, end) in zip(ids, self.places(ids), strict=True):
            if i in self.specials:
                tokens.append(self.special(i, start))
                continue
            # A token without characters is the space before the next word.
            word = next((word_at[place] for place in range(start, max(end, start + 1)) if place in word_at), previous)
            tokens.append(Token(i, self.token_text(i), word, start, end, first=word != previous))
            previous = word
        return TokenizedText(text, words, tuple(tokens))

    def decode(self, ids: Sequence[int]) -> str:
        """The text that these ids spell. Bytes that form no character become �."""
        raw = b"".join(self.spelt(i) for i in ids)
        return raw.decode(errors="replace").removeprefix(" ")

    def letters(self, word: str, spaced: bool) -> tuple[str, ...]:
        """The characters of a word, led by SPACE if it follows a space."""
        return (*([SPACE] if spaced else []), *word)

    def merges(self, word: str, spaced: bool) -> list[Merge]:
        """The steps in which byte-pair encoding builds the tokens of one word; none for other tokenizers."""
        return []

    def special(self, token_id: int, position: int) -> Token:
        """The special token with this id, at this position of the text."""
        return Token(token_id, self.specials[token_id], None, position, position)

    def token_text(self, token_id: int) -> str:
        """The label of an entry: without the space before it, and a byte as ⟨E4⟩."""
        if token_id in self.specials:
            return self.specials[token_id]
        if token_id in self.byte_ids:
            return f"⟨{token_id - self.byte_ids.start:02X}⟩"
        return self.vocab[token_id].removeprefix(SPACE) or SPACE

    def starts_word(self, token_id: int) -> bool:
        """True if this entry follows a space."""
        return self.vocab[token_id].startswith(SPACE)

    def is_text(self, token_id: int) -> bool:
        """True if this entry is neither a special token nor a byte."""
        return token_id not in self.specials and token_id not in self.byte_ids

    @cached_property
    def texts(self) -> npt.NDArray[np.bool_]:
        """`is_text` of every id, (V,)."""
        are_texts = np.ones(len(self), dtype=np.bool_)
        are_texts[[*self.specials, *self.byte_ids]] = False
        return are_texts

    def spelt(self, token_id: int) -> bytes:
        """The UTF-8 bytes that this id adds to a text."""
        if token_id in self.specials:
            return b""
        if token_id in self.byte_ids:
            return bytes([token_id - self.byte_ids.start])
        return self.vocab[token_id].replace(SPACE, " ").encode()

    def places(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Start and end of each id's characters in the text that `decode` makes of them all, without a leading space.

        Bytes that together spell one character share its place.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        places: list[tuple[int, int]] = []
        length, begun, at_start = 0, False, True  # characters so far; a character waits for more bytes; nothing is spelt yet
        for i in ids:
            raw = self.spelt(i)
            if at_start and raw:
                raw, at_start = raw.removeprefix(b" "), False  # as decode does
            spelt, was_begun = decoder.decode(raw), begun
            begun = bool(decoder.getstate()[0])
            if begun and len(decoder.getstate()[0].decode(errors="replace")) > 1:  # half of a surrogate pair: never a character
                spelt, begun = spelt + decoder.decode(b"", final=True), False
            # If the bytes before were no character after all, they are the � that comes first now.
            start = length + (was_begun and len(spelt) + begun > 1) + raw.startswith(b" ")
            length += len(spelt)
            places.append((start, length + (begun and raw != b"")))
        return places
