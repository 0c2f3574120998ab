"""Letters stand out on every ground, and colour-blind eyes can tell the colours apart."""

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from viz_core.figures.palette import DARK, LIGHT, Palette, contrast, mixed, rgb

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
ROLES = ("q", "k", "v", "output")
Floats = npt.NDArray[np.float64]

# Machado, Oliveira & Fernandes (2009), A Physiologically-based Model for Simulation of Color Vision Deficiency, severity 1.0;
# for linear RGB.
SIGHT = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}  # fmt: skip
EYES = pytest.mark.parametrize("sight", SIGHT)


def lab(colour: Sequence[float], sight: str) -> Floats:
    """CIE L*a*b* (D65) of red, green, blue in 0…255, as these eyes see it."""
    share = np.asarray(colour) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(SIGHT[sight] @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ seen / [0.9505, 1, 1.089]
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def steps(colours: Sequence[str], sight: str, count: int = 33) -> Floats:
    """A scale at equal distances, (count, 3)."""
    return np.array([lab(mixed(colours, share), sight) for share in np.linspace(0, 1, count)])


@PALETTES
def test_letters_stand_out_on_every_ground_where_they_stand(palette: Palette) -> None:
    plain = [palette.surface, palette.panel, palette.encoder, palette.decoder]
    grounds = {name: [*plain, palette.chip, palette.highlight] for name in ("ink", "quiet", *(f"{role}_text" for role in ROLES))}
    grounds["accent"] = plain
    grounds["ink"] = [*grounds["ink"], palette.masked]
    grounds["surface"] = [palette.accent, palette.ink]  # buttons that are on, and what is said over the page
    weak = {
        (name, ground): contrast(rgb(getattr(palette, name)), rgb(ground))
        for name, there in grounds.items()
        for ground in there
        if contrast(rgb(getattr(palette, name)), rgb(ground)) < 4.5
    }
    assert not weak


@PALETTES
@EYES
def test_the_sequential_scale_goes_one_way_in_lightness(palette: Palette, sight: str) -> None:
    lightness = np.diff(steps(palette.sequential, sight)[:, 0])
    assert (np.sign(lightness) == (1 if palette.dark else -1)).all()
    assert np.abs(np.diff(steps(palette.sequential, sight), axis=0)).max(axis=1).min() > 0.5  # no part of it is flat


@PALETTES
@EYES
def test_the_diverging_scale_has_two_arms_that_differ(palette: Palette, sight: str) -> None:
    seen = steps(palette.diverging, sight)
    middle = len(seen) // 2
    away = np.sign(np.diff(seen[:, 0]))
    outwards = 1 if palette.dark else -1
    assert (away[middle:] == outwards).all()
    assert (away[:middle] == -outwards).all()
    apart = np.linalg.norm(seen - seen[::-1], axis=1)
    assert apart[: middle // 2].min() > 20  # the outer halves of the arms: −x is not +x


@PALETTES
@EYES
@pytest.mark.parametrize("kind", ["role", "role_text"])
def test_roles_can_be_told_apart(palette: Palette, sight: str, kind: str) -> None:
    seen = [lab(rgb(getattr(palette, kind)(role)), sight) for role in ROLES]
    apart = min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(seen, 2))
    assert apart > 10  # the least difference that is just seen is about 2.3; Okabe and Ito's own blue and green come to 17
