"""The maps of the heads: the hue is the role, the strength its share, and every name has room in its cell."""

import numpy as np
import pytest

from pages.heads.figures import COLOURED_ROLES, role_colour, role_map
from viz_core.analysis.roles.table import NONE, SHARES
from viz_core.figures.base import percent
from viz_core.figures.palette import DARK, LIGHT, Palette, contrast, rgb

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def test_every_role_has_a_hue_of_its_own() -> None:
    assert set(COLOURED_ROLES) == {role for roles in SHARES.values() for role in roles}
    for palette in (LIGHT, DARK):
        assert len(palette.head_roles) == len(set(palette.head_roles)) == len(COLOURED_ROLES)


@PALETTES
@pytest.mark.parametrize("role", [*COLOURED_ROLES, NONE])
def test_letters_stand_out_on_every_strength_of_every_role(palette: Palette, role: str) -> None:
    shares = np.linspace(0, 1, 21)
    fig = role_map(
        [[role] * 21], shares[None], [["x"] * 21], named=str, percent=percent, title="", axes=("", ""), highlighted=(0, 0),
        palette=palette,
    ).plotly()  # fmt: skip
    for share, ink in zip(shares, fig.data[0].insidetextfont.color, strict=True):
        assert contrast(rgb(ink), role_colour(role, float(share), palette)) >= 4.5
