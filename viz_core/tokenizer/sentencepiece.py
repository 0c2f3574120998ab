"""Vocabularies of SentencePiece (Kudo & Richardson 2018), as Marian and mBART have them: the pieces of a unigram model (Kudo 2018).

The best split of a text is the one whose pieces have the greatest sum of scores, their log-probabilities. The ids are those of the
model's own vocabulary, which both languages may share, and not those of the pieces.
"""

import base64
import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from tokenizers import models

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.tokenizer.base import SPACE, Tokenizer
from viz_core.tokenizer.charsmap import Charsmap, Normalized, normalize
from viz_core.tokenizer.target_codes import CODE, codes_of
from viz_core.words import Token, Word

UNKNOWN = "\0unknown"  # a piece that no text has: NUL is left out or replaced before


@dataclass(frozen=True)
class Pieces:
    """How a text is split.

    Attributes:
        scores: piece → its log-probability.
        charsmap: compiled rules of normalization; empty for none.
        dummy_prefix, one_blank: see `normalize`.
    """

    scores: dict[str, float]
    charsmap: bytes = b""
    dummy_prefix: bool = True
    one_blank: bool = True


class SentencePieceTokenizer(Tokenizer):
    """A vocabulary, and the pieces of one language."""

    def __init__(self, vocab: list[str], pieces: Pieces, config: ModelConfig) -> None:
        super().__init__(vocab, config.special_ids, config.pad_id)
        self.pieces = pieces
        self._ids = {token: i for i, token in enumerate(vocab) if i not in self.specials}  # what is typed is never a special token
        self._unknown = config.unk_id
        self._charsmap = Charsmap(pieces.charsmap)
        self.target_codes = codes_of(self._ids)

    @classmethod
    def from_json(cls, text: str, config: ModelConfig) -> Self:
        fields: dict[str, Any] = json.loads(text)
        try:
            vocab = [str(token) for token in fields["vocab"]]
            scores = {str(piece): float(score) for piece, score in fields["pieces"]}
            charsmap = base64.b64decode(fields["charsmap"], validate=True)
            pieces = Pieces(scores, charsmap, bool(fields["dummy_prefix"]), bool(fields["one_blank"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"not a vocabulary of SentencePiece: {error!r}") from error
        if not scores:
            raise ConfigError("a vocabulary of SentencePiece without pieces")
        return cls(vocab, pieces, config)

    def to_json(self) -> str:
        fields = {
            "type": "sentencepiece",
            "dummy_prefix": self.pieces.dummy_prefix,
            "one_blank": self.pieces.one_blank,
            "charsmap": base64.b64encode(self.pieces.charsmap).decode(),
            "pieces": list(self.pieces.scores.items()),
            "vocab": self.vocab,
        }
        return json.dumps(fields, ensure_ascii=False)

    def words(self, text: str, language: str) -> tuple[Word, ...]:
        """A code of the target language, such as `>>fra<<`, is one word."""
        code = CODE.match(text)
        if not code:
            return super().words(text, language)
        after = super().words(text[code.end() :], language)
        rest = (Word(word.text, word.start + code.end(), word.end + code.end()) for word in after)
        return Word(code[0], 0, code.end()), *rest

    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        spelled: list[tuple[str, int, int]] = []
        code = CODE.match(text)
        after = code.end() if code else 0
        if code:
            spelled.append((code[0], 0, after))
        normalized = self._normalized(text[after:])
        at = 0
        for piece in self.split(normalized.text):
            start, end = _place(normalized, at, at + len(piece), len(text) - after)
            spelled.append((piece, after + start, after + end))
            at += len(piece)
        starts, tokens, previous = [word.start for word in words], [], None
        for piece, start, end in spelled:
            owner = max(bisect_right(starts, start) - 1, 0) if words else None
            i = self._id(piece)
            tokens.append(Token(i, self.token_text(i), owner, start, end, first=owner != previous))
            previous = owner
        return tokens

    def word_ids(self, word: str, spaced: bool) -> list[int]:
        normalized = normalize(word, self._charsmap, SPACE, spaced, self.pieces.one_blank)
        return [self._id(piece) for piece in self.split(normalized.text)]

    def normalized(self, text: str) -> str:
        return "".join(replacement for replacement, _, _ in self._charsmap.replaced(text))

    def split(self, normalized: str) -> list[str]:
        """The best split; characters in a row that no piece has are one."""
        return [token.value for token in self._unigram.tokenize(normalized)] if normalized else []

    def _normalized(self, text: str) -> Normalized:
        return normalize(text, self._charsmap, SPACE, self.pieces.dummy_prefix, self.pieces.one_blank)

    def _id(self, piece: str) -> int:
        found = self._ids.get(piece, self._unknown)
        if found is None:
            raise ConfigError(f"the vocabulary lacks {piece!r}, and the model has no unknown token (unk_id)")
        return found

    @cached_property
    def _unigram(self) -> models.Unigram:
        return models.Unigram([(UNKNOWN, 0.0), *self.pieces.scores.items()], 0, False)


def _place(normalized: Normalized, start: int, end: int, length: int) -> tuple[int, int]:
    """Where these characters stand in the original text, without the blank at their start."""
    while start < end and normalized.text[start] == SPACE:
        start += 1
    if start == end:  # nothing but blanks: the start of what follows
        at = normalized.starts[end] if end < len(normalized.starts) else length
        return at, at
    return normalized.starts[start], normalized.ends[end - 1]
