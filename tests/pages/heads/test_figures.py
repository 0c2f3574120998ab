"""The maps of the heads: the hue is the role, the strength its share, and every name has room in its cell."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from pages.heads.figures import COLOURED_ROLES, name_lines, role_colour, role_map
from tests.figures.test_palette import hue
from viz_core.analysis.roles.rule import named
from viz_core.analysis.roles.table import NONE, SHARES
from viz_core.figures.base import percent
from viz_core.figures.palette import DARK, LIGHT, Palette, contrast, luminance, rgb

PALETTES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
ROLES = (("near", "near", NONE), ("self", "alignment", "near"))
HEADS = np.array([[0.3, 0.6, 0.0], [0.27, 0.5, 0.4]])


def drawn(palette: Palette = LIGHT) -> go.Figure:
    hovers = [[f"layer {layer} head {head}" for head in range(3)] for layer in range(2)]
    return role_map(
        ROLES, HEADS, hovers, named=lambda role: named("cross", role), percent=percent, title="t", axes=("down", "across"),
        highlighted=(1, 2), palette=palette,
    ).plotly()  # fmt: skip


def code(css: str) -> str:
    """#RRGGBB of rgb(r, g, b)."""
    return "#" + "".join(f"{int(part):02X}" for part in re.findall(r"\d+", css))


def test_every_role_has_a_hue_of_its_own() -> None:
    assert set(COLOURED_ROLES) == {role for roles in SHARES.values() for role in roles}
    for palette in (LIGHT, DARK):
        assert len(palette.head_roles) == len(set(palette.head_roles)) == len(COLOURED_ROLES)


@PALETTES
def test_the_hue_is_the_role_and_the_strength_its_share(palette: Palette) -> None:
    bars = drawn(palette).data[0]
    colours = dict(zip(zip(bars.y + np.array(bars.base), bars.x, strict=True), map(code, bars.marker.color), strict=True))
    first, second, none, own, aligned, third = colours.values()
    assert none == palette.panel
    apart = [
        abs(hue(one) - hue(other)) % 360 for one, other in ((first, second), (second, third), (second, aligned), (own, aligned))
    ]
    same, also, other, another = (min(each, 360 - each) for each in apart)
    assert max(same, also) < 10 and min(other, another) > 60
    ground = luminance(rgb(palette.surface))
    weak, middle, strong = (abs(luminance(rgb(colour)) - ground) for colour in (first, third, second))
    assert weak < middle < strong


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


def test_only_the_roles_that_are_there_are_in_the_legend() -> None:
    fig = drawn()
    assert [trace.name for trace in fig.data if trace.showlegend is not False] == ["nearby", "same position", "alignment"]
    assert fig.layout.showlegend


def test_a_name_stays_in_its_cell() -> None:
    """Only in a bar plotly makes a text smaller, and only where it must stay inside; a long name has a line for each word."""
    bars = drawn().data[0]
    assert bars.type == "bar" and (bars.textposition, bars.constraintext, bars.textangle) == ("inside", "inside", 0)
    assert list(bars.text) == ["nearby<br>30 %", "nearby<br>60 %", "none", "same position<br>27 %", "alignment<br>50 %",
                               "nearby<br>40 %"]  # fmt: skip
    assert bars.width < 1 and max(bars.y) < 1  # of the place of a cell
    assert list(bars.customdata) == list(HEADS.ravel())
    assert all(len(line) <= 13 for kind in SHARES for role in SHARES[kind] for line in name_lines(named(kind, role)))
    assert name_lines(named("cross", "previous")) == ["previous", "position"]


def test_rows_are_layers_columns_are_heads_and_a_click_carries_both() -> None:
    fig = drawn()
    bars, clicks = fig.data[:2]
    assert [(round(base + tall / 2), column) for base, tall, column in zip(bars.base, bars.y, bars.x, strict=True)] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis.title.text) == ("down", "across")
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    at = [list(data) for data in clicks.customdata].index([1, 2])
    assert (clicks.y[at], clicks.x[at], clicks.hovertext[at]) == (1, 2, "layer 1 head 2")
    (said,) = fig.layout.meta["says"]
    assert clicks.hovertext[said] == "layer 1 head 2"
