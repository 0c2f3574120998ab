"""Sinusoidal positions (Vaswani et al. 2017, §3.5): the waves between the recorded points, and dot products, all computed here."""

import math
from dataclasses import dataclass

from viz_core.trace import Floats


@dataclass(frozen=True)
class Wave:
    """One dimension of the positional encoding.

    Attributes:
        dim: from 0. Sines have even and cosines odd dimensions, or all sines come first.
        divisor: 10000^(2i/d_model), with dim = 2i or 2i + 1; where all sines come first, with dim = i or d_model / 2 + i.
        even: 2i.   name: "sin" or "cos".
    """

    dim: int
    divisor: float
    even: int
    name: str

    @property
    def length(self) -> float:
        """The wavelength: 2π · divisor positions."""
        return 2 * math.pi * self.divisor


def wave(dim: int, d_model: int, halves: bool = False) -> Wave:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i+1) = cos(the same); halves: all sines before all cosines."""
    pair, is_cosine = (dim % (d_model // 2), dim >= d_model // 2) if halves else (dim // 2, dim % 2 == 1)
    return Wave(dim, 10000.0 ** (2 * pair / d_model), 2 * pair, "cos" if is_cosine else "sin")


def products(rows: Floats) -> Floats:
    """PE(a) · PE(b) for all pairs of positions, (T, D) → (T, T)."""
    return rows @ rows.T


def default_dims(d_model: int, halves: bool = False) -> list[int]:
    """The dimensions drawn at first: the fastest sine and cosine, then slower sines, up to waves longer than a sentence."""
    if halves:
        return sorted(
            {min(dim, d_model - 1) for dim in (0, d_model // 2, *(round(d_model * share / 2) for share in (0.1, 0.2, 0.4)))}
        )
    return sorted({min(dim, d_model - 1) for dim in (0, 1, *(2 * round(d_model * share / 2) for share in (0.1, 0.2, 0.4)))})


def listed_dims(d_model: int) -> list[int | None]:
    """The dimensions of a vector that are written out: the first four, None for the gap, and the last; all of a short vector."""
    return list(range(d_model)) if d_model <= 5 else [0, 1, 2, 3, None, d_model - 1]
