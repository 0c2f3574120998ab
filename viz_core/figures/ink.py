"""Which ink can be read on which colour."""

from __future__ import annotations

from collections.abc import Sequence

Rgb = tuple[float, float, float]


def rgb(colour: str) -> Rgb:
    """Red, green, blue in 0…255 of "#RRGGBB"."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return r, g, b


def between(low: Sequence[float], high: Sequence[float], share: float) -> Rgb:
    """The colour at a share, 0…1, of the way from one to another: also what `high` gives at this opacity on `low`."""
    r, g, b = (a + (z - a) * share for a, z in zip(low, high, strict=True))
    return r, g, b


def mixed(colours: Sequence[str], share: float) -> Rgb:
    """The colour at a share, 0…1, of a scale of equal distances, as red, green, blue in 0…255."""
    at = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    low = min(int(at), len(colours) - 2)
    return between(rgb(colours[low]), rgb(colours[low + 1]), at - low)


def luminance(colour: Sequence[float]) -> float:
    """Relative luminance, 0…1, of red, green, blue in 0…255 (WCAG 2.1)."""
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def readable(colour: Sequence[float]) -> str:
    """Black or white, whichever stands out more on this colour: at least 4.5:1 on any; softer inks fall short in the middle."""
    return max("#000000", "#FFFFFF", key=lambda ink: contrast(rgb(ink), colour))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """How much two colours stand out from each other, 1…21 (WCAG 2.1)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
