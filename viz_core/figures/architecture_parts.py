"""What the drawing of the model is made of: its measures, its two lanes, and what it shows of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from viz_core.figures.palette import Palette
from viz_core.figures.svg import rect, text

WIDTH, HEIGHT = 1000, 560
FLOOR = HEIGHT - 120  # the bottom of both stacks
DECK = 6  # how far a layer behind the front one peeks out
NORM, PILLS, BLOCK, ADD, BRANCH, FAN = 26, 26, 34, 26, 8, 17  # heights inside a stack, in the order of drawing
CHIP = 18  # font size of the pieces
HEADLINE = 130  # height of what stands above the encoder


@dataclass(frozen=True)
class Chip:
    """A piece at the bottom of a stack. `band` is the number of its word, None for a special piece."""

    text: str
    band: int | None = None
    state: Literal["", "read", "ahead"] = ""


@dataclass(frozen=True)
class Bar:
    """A candidate for the next piece with its probability, 0…1; `lit` is the one that is written."""

    text: str
    share: float
    lit: bool = False


@dataclass(frozen=True)
class Sentence:
    """What the drawing shows of one sentence.

    Attributes:
        source: the text that was typed.
        written, now, rest: the translation, split at the piece of the current step.
        pieces_in, pieces_out: what encoder and decoder read.
        bars: the most probable next pieces, most probable first.
        last: whether nothing follows.
        forced: whether the translation was typed.
    """

    source: str
    written: str
    now: str
    rest: str
    pieces_in: Sequence[Chip]
    pieces_out: Sequence[Chip]
    bars: Sequence[Bar]
    next_piece: str
    last: bool
    forced: bool


@dataclass(frozen=True)
class Lane:
    stack: Literal["encoder", "decoder"]
    side: Literal["source", "target"]
    left: float
    right: float
    bypass: float
    """Where the residual line runs."""
    card: tuple[float, float]

    @property
    def centre(self) -> float:
        return (self.left + self.right) / 2

    @property
    def width(self) -> float:
        return self.right - self.left


ENCODER = Lane("encoder", "source", 66, 306, 46, (32, 316))
DECODER = Lane("decoder", "target", 424, 744, 764, (414, 778))
OUT = (818, 998)  # the column on the right


def shape_text(shape: tuple[int, ...]) -> str:
    """(9, 256) for a matrix, 8 × (9, 32) for one of each head."""
    inner = f"({', '.join(map(str, shape[-2:]))})"
    return f"{shape[0]} × {inner}" if len(shape) == 3 else inner


def pill(x: float, y: float, letter: str) -> str:
    """A letter on its role's colour: Q, K or V."""
    return rect(x, y, 34, PILLS, f"pill {letter}", 6) + text(x + 17, y + 19, letter.upper(), f"letter on_{letter}", "middle")


def band(chip: Chip, palette: Palette) -> str:
    """The style of a chip: the colour that all pieces of one word share."""
    return "" if chip.band is None else f' style="background:{palette.words[chip.band % len(palette.words)]}"'
