"""Vocabularies of SentencePiece (Kudo & Richardson 2018), as in Marian: the pieces of a unigram model (Kudo 2018).

The best split of a text is the one with the greatest sum of its pieces' scores, their log-probabilities. The ids are those of the
model's own vocabulary, which both languages may share, not those of the pieces.
"""

import base64
import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from tokenizers import models

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.tokenizer.base import CODE, SPACE, Tokenizer, codes_of
from viz_core.tokenizer.charsmap import Charsmap, Normalized, normalize
from viz_core.words import Token, Word

UNKNOWN = "\0unknown"  # a piece that matches no text, since normalization removes or replaces NUL


@dataclass(frozen=True)
class Pieces:
    """The rules for splitting a text.

    Attributes:
        scores: piece → log-probability.
        charsmap: compiled rules of normalization; empty for none.
        dummy_prefix, one_blank: see `normalize`.
    """

    scores: dict[str, float]
    charsmap: bytes = b""
    dummy_prefix: bool = True
    one_blank: bool = True


class SentencePieceTokenizer(Tokenizer):
    """A vocabulary with the pieces of one language."""

    def __init__(self, vocab: list[str], pieces: Pieces, config: ModelConfig) -> None:
        super().__init__(vocab, config.special_ids, config.pad_id)
        self.pieces = pieces
        self._ids = {token: i for i, token in enumerate(vocab) if i not in self.specials}  # typed text is never a special token
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

    def code(self, text: str) -> re.Match[str] | None:
        return CODE.match(text)  # whatever the vocabulary, as in transformers

    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        spelled: list[tuple[str, int, int]] = []
        code = self.code(text)
        after = code.end() if code else 0
        if code:
            spelled.append((code[0], 0, after))
        normalized = self._normalized(text[after:])
        done = 0
        for piece in self.split(normalized.text):
            start, end = _place(normalized, done, done + len(piece), len(text) - after)
            spelled.append((piece, after + start, after + end))
            done += len(piece)
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
        """The best split; a run of characters without a piece is one piece."""
        return [token.value for token in self._unigram.tokenize(normalized)] if normalized else []

    def _normalized(self, text: str) -> Normalized:
        return normalize(text, self._charsmap, SPACE, self.pieces.dummy_prefix, self.pieces.one_blank)

    def _id(self, piece: str) -> int:
        token_id = self._ids.get(piece, self._unknown)
        if token_id is None:
            raise ConfigError(f"the vocabulary lacks {piece!r}, and the model has no unknown token (unk_id)")
        return token_id

    @cached_property
    def _unigram(self) -> models.Unigram:
        return models.Unigram([(UNKNOWN, 0.0), *self.pieces.scores.items()], 0, False)


def _place(normalized: Normalized, start: int, end: int, length: int) -> tuple[int, int]:
    """The place of these characters in the original text, without a leading space."""
    while start < end and normalized.text[start] == SPACE:
        start += 1
    if start == end:  # nothing but spaces: the place of the next character
        place = normalized.starts[end] if end < len(normalized.starts) else length
        return place, place
    return normalized.starts[start], normalized.ends[end - 1]
