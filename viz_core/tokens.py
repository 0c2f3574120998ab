"""A text with its words and tokens, each token at its place."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.words import Word


@dataclass(frozen=True)
class Token:
    """One unit of the vocabulary, at its place in the text.

    Attributes:
        id: its row in the embedding matrix.
        text: its characters; for a special token its name, for a byte `⟨E4⟩`.
        word: index of its word, None for a special token.
        start, end: its characters in the text; empty for a special token. The bytes of one character share its place.
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
        """How it is written on an axis: a token inside a word is led by a dot, as in «·chen»."""
        return self.text if self.first else f"·{self.text}"


@dataclass(frozen=True)
class TokenizedText:
    """A text with its words and tokens."""

    text: str
    words: tuple[Word, ...]
    tokens: tuple[Token, ...]

    @property
    def ids(self) -> list[int]:
        """The ids of the tokens, in order."""
        return [token.id for token in self.tokens]

    @property
    def labels(self) -> list[str]:
        """The tokens as they are written on an axis, in order."""
        return [token.label for token in self.tokens]

    def __len__(self) -> int:
        return len(self.tokens)
