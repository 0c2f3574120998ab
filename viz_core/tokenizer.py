"""Text → words → pieces → ids, and back.

Words are those of spaCy's blank tokenizer for the language. Pieces are those of a byte-pair encoding (Sennrich et al. 2016)
of the words, joint for both languages. A character that the vocabulary lacks becomes its UTF-8 bytes, one piece each,
so that nothing is lost. Every piece knows its word and its characters in the text.
"""

from __future__ import annotations

import functools
import json
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import spacy
import tokenizers
from tokenizers import models, trainers

from viz_core.config import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from viz_core.errors import ConfigError, TextError

SPACE = "▁"
"""Stands before a piece that follows a blank, as in SentencePiece (Kudo & Richardson 2018)."""

SPECIAL = {PAD_ID: "⟨pad⟩", BOS_ID: "⟨s⟩", EOS_ID: "⟨/s⟩", UNK_ID: "⟨unk⟩"}
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
FIRST_BYTE_ID = len(SPECIAL)
FIRST_TEXT_ID = FIRST_BYTE_ID + len(BYTES)


@dataclass(frozen=True)
class Word:
    """One word as spaCy sees it: `text[start:end]` of the text it came from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Piece:
    """One unit of the vocabulary, at its place in the text.

    Attributes:
        id: its row in the embedding matrix.
        text: its characters; for a special piece its name, for a byte `⟨E4⟩`.
        word: index of its word, None for a special piece.
        start, end: its characters in the text; empty for a special piece. The bytes of one character share its place.
        first: whether it starts its word.
    """

    id: int
    text: str
    word: int | None
    start: int
    end: int
    first: bool = True

    @property
    def label(self) -> str:
        """How it is written on an axis: a piece inside a word is led by a dot, as in «·chen»."""
        return self.text if self.first else f"·{self.text}"


@dataclass(frozen=True)
class Tokens:
    """A text with its words and pieces."""

    text: str
    words: tuple[Word, ...]
    pieces: tuple[Piece, ...]

    @property
    def ids(self) -> list[int]:
        """The ids of the pieces, in order."""
        return [piece.id for piece in self.pieces]

    @property
    def labels(self) -> list[str]:
        """The pieces as they are written on an axis, in order."""
        return [piece.label for piece in self.pieces]

    def __len__(self) -> int:
        return len(self.pieces)


def special(token_id: int, position: int) -> Piece:
    """The special piece with this id, at this position of the text."""
    return Piece(token_id, SPECIAL[token_id], None, position, position)


@functools.cache
def _spacy(language: str) -> spacy.Language:
    """The blank pipeline of a language. Made when first needed (French takes seconds) and kept."""
    try:
        return spacy.blank(language)
    except ImportError as error:
        raise ConfigError(f"spaCy knows no language {language!r}") from error


def split_words(text: str, language: str) -> tuple[Word, ...]:
    """The words of a text; blanks between them are not words."""
    doc = _spacy(language).make_doc(text)
    return tuple(Word(t.text, t.idx, t.idx + len(t.text)) for t in doc if not t.is_space)


class Tokenizer:
    """The joint vocabulary, and the way between text and ids."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._bpe = backend.model
        vocab = backend.get_vocab()
        self.vocab = sorted(vocab, key=vocab.__getitem__)  # id → the piece as the BPE writes it
        expected = [*SPECIAL.values(), *BYTES]
        if self.vocab[:FIRST_TEXT_ID] != expected or sorted(vocab.values()) != list(range(len(vocab))):
            raise ConfigError("the vocabulary does not start with the special pieces and the 256 bytes")

    def __len__(self) -> int:
        return len(self.vocab)

    @classmethod
    def train(cls, words: Iterable[str], vocab_size: int) -> Tokenizer:
        """Learns a byte-pair encoding.

        Args:
            words: every word of the corpus, led by SPACE where it follows a blank.
            vocab_size: pieces in all; a corpus with fewer different ones gives fewer.
        """
        start = [*SPECIAL.values(), *BYTES]
        learner = tokenizers.Tokenizer(models.BPE())
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=start,
            initial_alphabet=list(string.digits + string.ascii_letters + string.punctuation),
            limit_alphabet=400,
            show_progress=False,
        )
        learner.train_from_iterator(words, trainer)
        learned = learner.get_vocab()
        # The trainer would match the start pieces inside a typed text, so that typing ⟨/s⟩ would end the sentence.
        # A fresh backend with the same vocabulary and merges has them as ids only.
        merges = [(left, right) for left, right in json.loads(learner.to_str())["model"]["merges"]]
        bpe = models.BPE(vocab=learned, merges=merges, unk_token=SPECIAL[UNK_ID], byte_fallback=True)
        return cls(tokenizers.Tokenizer(bpe))

    @classmethod
    def from_json(cls, text: str) -> Tokenizer:
        """Reads what to_json wrote.

        Raises:
            ConfigError: the text is not such a vocabulary.
        """
        try:
            backend = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # the library raises bare Exception
            raise ConfigError(f"not a vocabulary: {error}") from error
        if not isinstance(backend.model, models.BPE):
            raise ConfigError(f"not a byte-pair vocabulary but {type(backend.model).__name__}")
        return cls(backend)

    def to_json(self) -> str:
        """The vocabulary and merges, in the format of the `tokenizers` library."""
        return str(self._backend.to_str())

    def encode(self, text: str, language: str) -> Tokens:
        """The pieces of a text, without special ones.

        Raises:
            TextError: the text has a lone surrogate, which no encoding can write.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TextError(f"character {error.start + 1} of the text is half of a pair and cannot be written") from error
        words = split_words(text, language)
        pieces: list[Piece] = []
        for index, word in enumerate(words):
            pieces += self._place(self._word_ids(word.text, follows_blank(text, word)), word.start, index)
        return Tokens(text, words, tuple(pieces))

    def read(self, ids: Sequence[int], language: str) -> Tokens:
        """The text that these ids spell, with its words; special ids stay as pieces and spell nothing."""
        text = self.decode(ids)
        words = split_words(text, language)
        word_of = {at: index for index, word in enumerate(words) for at in range(word.start, word.end)}
        pieces, position, previous = [], 0, None
        for piece in self._place(ids, 0, 0, leading_blank=True):
            if piece.id in SPECIAL:
                pieces.append(special(piece.id, position))
                continue
            start, position = piece.start, piece.end
            # A piece without characters is the blank of the word that follows.
            word = next((word_of[at] for at in range(start, max(piece.end, start + 1)) if at in word_of), previous)
            pieces.append(Piece(piece.id, piece.text, word, start, piece.end, first=word != previous))
            previous = word
        return Tokens(text, words, tuple(pieces))

    def decode(self, ids: Sequence[int]) -> str:
        """The text that these ids spell. Bytes that form no character become �."""
        raw = b"".join(self._bytes(i) for i in ids)
        return raw.decode(errors="replace").removeprefix(" ")

    def piece_text(self, token_id: int) -> str:
        """How one entry of the vocabulary is shown: without the blank before it, a byte as ⟨E4⟩."""
        if token_id in SPECIAL:
            return SPECIAL[token_id]
        if token_id < FIRST_TEXT_ID:
            return f"⟨{token_id - FIRST_BYTE_ID:02X}⟩"
        return self.vocab[token_id].removeprefix(SPACE) or SPACE

    def starts_word(self, token_id: int) -> bool:
        """Whether this entry of the vocabulary follows a blank."""
        return self.vocab[token_id].startswith(SPACE)

    def _word_ids(self, word: str, spaced: bool) -> list[int]:
        # A SPACE that somebody typed is spelt in bytes, so that it comes back as typed and not as a blank.
        head, *rest = word.split(SPACE)
        ids = [token.id for token in self._bpe.tokenize((SPACE if spaced else "") + head)]
        for part in rest:
            ids += [FIRST_BYTE_ID + byte for byte in SPACE.encode()]
            ids += [token.id for token in self._bpe.tokenize(part)]
        return ids

    def _bytes(self, token_id: int) -> bytes:
        if token_id in SPECIAL:
            return b""
        if token_id < FIRST_TEXT_ID:
            return bytes([token_id - FIRST_BYTE_ID])
        return self.vocab[token_id].replace(SPACE, " ").encode()

    def _place(self, ids: Sequence[int], start: int, word: int, leading_blank: bool = False) -> list[Piece]:
        """Gives each id its characters, counting from `start`.

        A blank before a piece is a character of the text only in `read`, where the text is made from the ids.
        """
        pieces: list[Piece] = []
        at, pending, begin = start, b"", 0
        for i in ids:
            raw = self._bytes(i)
            spaced = raw.startswith(b" ")
            if spaced:
                raw = raw[1:]
                at += leading_blank and at > start
            if pending or (FIRST_BYTE_ID <= i < FIRST_TEXT_ID):
                if not pending:
                    begin = len(pieces)
                pending += raw
                whole = _characters(pending)
                pieces.append(Piece(i, self.piece_text(i), word, at, at + 1, not pieces))
                if whole:
                    end = at + whole
                    pieces[begin:] = [Piece(p.id, p.text, p.word, at, end, p.first) for p in pieces[begin:]]
                    at, pending = end, b""
                continue
            length = len(raw.decode())
            pieces.append(Piece(i, self.piece_text(i), word, at, at + length, not pieces))
            at += length
        return pieces


def follows_blank(text: str, word: Word) -> bool:
    """Whether a blank stands before this word; the start of the text counts as one."""
    return word.start == 0 or text[word.start - 1].isspace()


def _characters(raw: bytes) -> int:
    """How many whole characters these bytes spell; 0 while the last one is not complete."""
    try:
        return len(raw.decode())
    except UnicodeDecodeError as error:
        return 0 if error.reason == "unexpected end of data" else len(raw.decode(errors="replace"))
