"""The weights that a bertviz view draws: all three attentions, rounded, in ranges of heads small enough to draw quickly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from viz_core.figures.attention import Floats

Kind = Literal["self", "masked", "cross"]  # as viz_core.trace has it, which needs torch
Whole = npt.NDArray[np.int64]

KINDS: Mapping[Kind, tuple[str, str]] = {
    "self": ("source", "source"),
    "masked": ("target", "target"),
    "cross": ("target", "source"),
}
"""Attention → the sides of its queries and of its keys."""
DIGITS = 3
"""Decimals of a weight: more would not show, since a line has at most 256 strengths."""
MOST_LINES = 50_000
"""Lines drawn at once, in 1 to 1.5 s in Chromium on two cores: 4 layers of 8 heads with 40 tokens, or one layer with 80."""


@dataclass(frozen=True)
class HeadRange:
    """The layers and heads, from 0, that are drawn together."""

    layers: range
    heads: range


@dataclass(frozen=True, eq=False)
class PassWeights:
    """The attention weights of one pass and their tokens.

    Attributes:
        weights: for each attention and layer: self (h, S, S), masked (h, T, T), cross (h, T, S). Rows are queries; masked
            cells are 0.
        source, target: the tokens that encoder and decoder read.

    Raises:
        ValueError: the weights do not fit the tokens or each other.
    """

    weights: Mapping[Kind, Sequence[Floats]]
    source: Sequence[str]
    target: Sequence[str]

    def __post_init__(self) -> None:
        layers, heads = len(self.weights["cross"]), len(self.weights["cross"][0])
        for kind, (queries, keys) in KINDS.items():
            expected = (heads, len(getattr(self, queries)), len(getattr(self, keys)))
            shapes = [layer.shape for layer in self.weights[kind]]
            if shapes != [expected] * layers:
                raise ValueError(f"{kind}: expected {layers} layers of shape {expected}, found {shapes}")

    @cached_property
    def finite(self) -> bool:
        """Whether every weight is a finite number."""
        return all(bool(np.isfinite(layer).all()) for kind in KINDS for layer in self.weights[kind])

    @cached_property
    def thousandths(self) -> Mapping[Kind, Whole]:
        """(L, h, Tq, Tk) of each attention, rounded; 0 for what is not a number."""
        stacks = {kind: np.nan_to_num(np.stack(self.weights[kind]), posinf=0.0, neginf=0.0) for kind in KINDS}
        return {kind: np.rint(stack * 10**DIGITS).astype(np.int64) for kind, stack in stacks.items()}

    @cached_property
    def lines(self) -> Whole:
        """How many lines each layer and head draws, in whichever attention has most, (L, h)."""
        return np.max([np.count_nonzero(stack, axis=(2, 3)) for stack in self.thousandths.values()], axis=0)


def head_view_parts(attentions: PassWeights) -> tuple[HeadRange, ...]:
    """All layers, of which one is drawn at a time, and as many heads as can be drawn at once."""
    layers, heads = attentions.lines.shape
    most = next((n for n in range(heads, 1, -1) if _fits(attentions.lines, 1, n)), 1)
    return tuple(HeadRange(range(layers), part) for part in _chunks(heads, most))


def model_view_parts(attentions: PassWeights) -> tuple[HeadRange, ...]:
    """As many whole layers as can be drawn at once, or as many heads of one layer where not even one layer can."""
    layers, heads = attentions.lines.shape
    sizes = [*((n, heads) for n in range(layers, 0, -1)), *((1, n) for n in range(heads - 1, 0, -1))]
    layers_at_once, heads_at_once = next((size for size in sizes if _fits(attentions.lines, *size)), sizes[-1])
    return tuple(HeadRange(span, part) for span in _chunks(layers, layers_at_once) for part in _chunks(heads, heads_at_once))


def _fits(lines: Whole, layers: int, heads: int) -> bool:
    parts = [(span, part) for span in _chunks(lines.shape[0], layers) for part in _chunks(lines.shape[1], heads)]
    return all(lines[span.start : span.stop, part.start : part.stop].sum() <= MOST_LINES for span, part in parts)


def _chunks(count: int, size: int) -> list[range]:
    return [range(start, min(start + size, count)) for start in range(0, count, size)]
