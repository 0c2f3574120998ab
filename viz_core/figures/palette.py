"""Colours for the light and the dark theme, each with one role on every page; and readable ink for any background.

Q, K, V and output have colours of Okabe & Ito (2008), which colour-blind viewers can tell apart. Letters have a variant of the same
hue (in OKLCH) with a contrast of at least 4.5:1 on every background. Weights in 0…1 have one sequential scale, signed values a
diverging one centred on 0, in sand and slate, which is calmer than the colours of the roles beside it.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Palette:
    """One theme's colours, as CSS."""

    dark: bool
    ink: str
    quiet: str
    """For minor texts: still at least 4.5:1 on the surface."""
    surface: str
    panel: str
    line: str
    masked: str
    """A cell that the mask forbids."""
    accent: str
    """The current step, the picked cell, a pressed button: close to ink, so that hues are left to colours with a meaning."""
    weight: str
    """Attention weights drawn as lines, ribbons or bars: the hue of `sequential`, used for nothing else."""
    q: str
    k: str
    v: str
    output: str
    q_text: str
    k_text: str
    v_text: str
    output_text: str
    encoder: str
    decoder: str
    """Lanes of the two stacks: a shade of grey."""
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]
    head_roles: tuple[str, ...]
    """Roles of heads, in the order of pages/heads: for areas, and calmer than Q, K, V and output."""
    heads: tuple[str, ...]
    """Overlapping heads; the eleventh begins again. Neighbours differ in lightness and hue, and each has a contrast of at least 3:1
    on the surface."""
    highlight: str
    """Behind the current line or row."""
    chip: str
    """Behind a token: the same for all, since colours would suggest links between tokens that attention does not make."""

    def role(self, name: str) -> str:
        """The colour of `q`, `k`, `v` or `output`: for areas and lines."""
        return {"q": self.q, "k": self.k, "v": self.v, "output": self.output}[name]

    def role_text(self, name: str) -> str:
        """The colour of a role for letters."""
        return {"q": self.q_text, "k": self.k_text, "v": self.v_text, "output": self.output_text}[name]

    def css(self) -> str:
        """The colours that style sheets use, as variables."""
        colours = {**vars(self), "pale": self.sequential[1]}
        return "".join(f"--{name}: {colour}; " for name, colour in colours.items() if isinstance(colour, str))


def _read(theme: str) -> Palette:
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[theme]
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in read.items()}
    return Palette(**values)


LIGHT, DARK = _read("light"), _read("dark")


def scale(colours: tuple[str, ...]) -> list[list[float | str]]:
    """A plotly colour scale of colours at equal distances."""
    return [[index / (len(colours) - 1), colour] for index, colour in enumerate(colours)]


Rgb = tuple[float, float, float]


def rgb(colour: str) -> Rgb:
    """Red, green, blue in 0…255 of "#RRGGBB"."""
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return r, g, b


def css(colour: Sequence[float]) -> str:
    """Red, green, blue in 0…255 as CSS."""
    return f"rgb({', '.join(f'{part:.0f}' for part in colour)})"


def between(low: Sequence[float], high: Sequence[float], share: float) -> Rgb:
    """The colour at a share, 0…1, of the way from `low` to `high`; the same as `high` at this opacity over `low`."""
    r, g, b = (a + (z - a) * share for a, z in zip(low, high, strict=True))
    return r, g, b


def mixed(colours: Sequence[str], share: float) -> Rgb:
    """The colour at a share, 0…1, of a scale of colours at equal distances."""
    place = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    low = min(int(place), len(colours) - 2)
    return between(rgb(colours[low]), rgb(colours[low + 1]), place - low)


def luminance(colour: Sequence[float]) -> float:
    """Relative luminance, 0…1, of red, green, blue in 0…255 (WCAG 2.1)."""
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def readable(colour: Sequence[float]) -> str:
    """Black or white, whichever has more contrast on this colour: at least 4.5:1 on any, which softer inks would not reach."""
    above_black = luminance(colour) + 0.05
    return "#000000" if above_black**2 >= 0.05 * 1.05 else "#FFFFFF"  # its contrast with black is above_black / 0.05


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """Contrast ratio of two colours, 1…21 (WCAG 2.1)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
