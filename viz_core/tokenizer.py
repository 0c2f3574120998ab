"""Text → words → tokens → ids, and back.

Tokens are those of a byte-pair encoding (Sennrich et al. 2016) of the words, joint for both languages. A character that the
vocabulary lacks becomes its UTF-8 bytes, one token each.
"""

from __future__ import annotations

import codecs
import json
import string
from collections.abc import Iterable, Sequence

import tokenizers
from tokenizers import models, trainers

from viz_core.config import BOS_ID, EOS_ID, PAD_ID, UNK_ID
from viz_core.errors import ConfigError, TextError
from viz_core.words import Merge, Token, TokenizedText, follows_blank, merge_steps, split_words

SPACE = "▁"  # stands before a token that follows a blank, as in SentencePiece (Kudo & Richardson 2018)

SPECIAL = {PAD_ID: "⟨pad⟩", BOS_ID: "⟨s⟩", EOS_ID: "⟨/s⟩", UNK_ID: "⟨unk⟩"}
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
FIRST_BYTE_ID = len(SPECIAL)
FIRST_TEXT_ID = FIRST_BYTE_ID + len(BYTES)


def special(token_id: int, position: int) -> Token:
    """The special token with this id, at this position of the text."""
    return Token(token_id, SPECIAL[token_id], None, position, position)


class Tokenizer:
    """The joint vocabulary, and the conversion between text and ids."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._bpe = backend.model
        self._ranks: dict[tuple[str, str], int] = {}  # read when first asked for
        vocab = backend.get_vocab()
        self.vocab = sorted(vocab, key=vocab.__getitem__)  # id → the token as the BPE writes it
        expected = [*SPECIAL.values(), *BYTES]
        if self.vocab[:FIRST_TEXT_ID] != expected or sorted(vocab.values()) != list(range(len(vocab))):
            raise ConfigError("the vocabulary does not start with the special tokens and the 256 bytes")

    def __len__(self) -> int:
        return len(self.vocab)

    @classmethod
    def train(cls, words: Iterable[str], vocab_size: int) -> Tokenizer:
        """Learns a byte-pair encoding.

        Args:
            words: every word of the corpus, led by SPACE where it follows a blank.
            vocab_size: tokens in all; a corpus with fewer different ones gives fewer.
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
        # The trainer's backend would match special tokens inside a typed text, so that typing ⟨/s⟩ would end the sentence.
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

    def encode(self, text: str, language: str) -> TokenizedText:
        """The tokens of a text, without special ones.

        Raises:
            TextError: the text has a lone surrogate, which no encoding can write.
        """
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise TextError(f"character {error.start + 1} of the text is half of a pair and cannot be written") from error
        words = split_words(text, language)
        tokens: list[Token] = []
        for index, word in enumerate(words):
            ids = self._word_ids(word.text, follows_blank(text, word))
            for n, (i, (start, end)) in enumerate(zip(ids, self._places(ids), strict=True)):
                tokens.append(Token(i, self.token_text(i), index, word.start + start, word.start + end, first=n == 0))
        return TokenizedText(text, words, tuple(tokens))

    def read(self, ids: Sequence[int], language: str) -> TokenizedText:
        """The text that these ids spell, with its words; special ids stay as tokens and spell nothing."""
        text = self.decode(ids)
        words = split_words(text, language)
        word_of = {at: index for index, word in enumerate(words) for at in range(word.start, word.end)}
        tokens, previous = [], None
        for i, (start, end) in zip(ids, self._places(ids), strict=True):
            if i in SPECIAL:
                tokens.append(special(i, start))
                continue
            # A token without characters is the blank of the word that follows.
            word = next((word_of[at] for at in range(start, max(end, start + 1)) if at in word_of), previous)
            tokens.append(Token(i, self.token_text(i), word, start, end, first=word != previous))
            previous = word
        return TokenizedText(text, words, tuple(tokens))

    def decode(self, ids: Sequence[int]) -> str:
        """The text that these ids spell. Bytes that form no character become �."""
        raw = b"".join(self._bytes(i) for i in ids)
        return raw.decode(errors="replace").removeprefix(" ")

    def token_text(self, token_id: int) -> str:
        """How one entry of the vocabulary is shown: without the blank before it, a byte as ⟨E4⟩."""
        if token_id in SPECIAL:
            return SPECIAL[token_id]
        if token_id < FIRST_TEXT_ID:
            return f"⟨{token_id - FIRST_BYTE_ID:02X}⟩"
        return self.vocab[token_id].removeprefix(SPACE) or SPACE

    def starts_word(self, token_id: int) -> bool:
        """Whether this entry of the vocabulary follows a blank."""
        return self.vocab[token_id].startswith(SPACE)

    def letters(self, word: str, spaced: bool) -> tuple[str, ...]:
        """What byte-pair encoding starts from: each character of the word, SPACE before it where it follows a blank, and the
        bytes of a character that the vocabulary lacks.
        """
        signs = [SPACE] if spaced else []
        for sign in word:
            known = sign != SPACE and self._bpe.token_to_id(sign) is not None
            signs += [sign] if known else [BYTES[byte] for byte in sign.encode()]
        return tuple(signs)

    def merges(self, word: str, spaced: bool) -> list[Merge]:
        """How byte-pair encoding builds the tokens of one word, step by step; spaced: whether the word follows a blank."""
        if not self._ranks:
            learned = json.loads(self.to_json())["model"]["merges"]
            self._ranks = {(left, right): rank for rank, (left, right) in enumerate(learned)}
        return merge_steps(self.letters(word, spaced), self._ranks)

    def _word_ids(self, word: str, spaced: bool) -> list[int]:
        # A typed SPACE is spelt in bytes, so that it comes back as typed and not as a blank.
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

    def _places(self, ids: Sequence[int]) -> list[tuple[int, int]]:
        """Start and end of each id's characters in the text that `decode` makes of all of them, without a leading blank.

        Bytes that together spell one character share its place.
        """
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        places: list[tuple[int, int]] = []
        at, begun, at_start = 0, False, True  # characters so far; a character waits for more bytes; nothing is spelt yet
        for i in ids:
            raw = self._bytes(i)
            if at_start and raw:
                raw, at_start = raw.removeprefix(b" "), False  # as decode does
            spelt, was_begun = decoder.decode(raw), begun
            begun = bool(decoder.getstate()[0])
            if begun and len(decoder.getstate()[0].decode(errors="replace")) > 1:  # half of a surrogate pair: never a character
                spelt, begun = spelt + decoder.decode(b"", final=True), False
            # When the bytes before were no character after all, they are the � that comes first now.
            start = at + (was_begun and len(spelt) + begun > 1) + raw.startswith(b" ")
            at += len(spelt)
            places.append((start, at + (begun and raw != b"")))
        return places
