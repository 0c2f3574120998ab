"""A text with its words and pieces, each piece at its place."""

from __future__ import annotations

from dataclasses import dataclass

from viz_core.words import Word


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
