"""The map of all heads of one attention, coloured by role."""

from collections import Counter
from collections.abc import Callable, Sequence

from viz_core.analysis.roles.rule import SHARE
from viz_core.analysis.roles.table import NONE
from viz_core.figures.attention import Floats
from viz_core.figures.base import plain
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import head_map
from viz_core.figures.palette import LIGHT, Palette, Rgb, between, css, rgb

COLOURED_ROLES = ("alignment", "near", "self", "previous", "next", "repetition", "word", "punctuation", "first", "last", "article")
"""The roles with a colour of their own, in the order of the palette's `head_roles`."""
WEAKEST, FULL = SHARE - 0.05, 0.75
"""The share at which a colour is still faint, though visible, and the one at which it has its full hue."""
TRACE = 0.2
"""How much of the hue the faintest colour has."""
LEGEND = 0.6
"""The legend shows the colour of this share."""
FITS = 13
"""How many letters of a name fit on one line of a cell; a longer name has a line for each word."""


def role_map(
    roles: Sequence[Sequence[str]], shares: Floats, hover: Sequence[Sequence[str]], *, named: Callable[[str], str],
    percent: Callable[[float], str], title: str, axes: tuple[str, str], highlighted: tuple[int, int], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """A cell for each head: its hue is the role, its strength the share. A click sends [layer, head].

    Args:
        roles: (L, h), names of measures; NONE is drawn neutral.
        shares: (L, h), how much of its attention each head gives to what its role names.
        hover: the plain text of each cell.
        named, percent: write a role and a share.
        axes: titles of rows (layers) and columns (heads).
        highlighted: the layer and head on display.
    """
    pairs = [[*zip(*row, strict=True)] for row in zip(roles, shares.tolist(), strict=True)]
    written = [
        ["\n".join([*name_lines(named(role)), *([percent(share)] if role != NONE else [])]) for role, share in row] for row in pairs
    ]
    colours = [[role_colour(role, share, palette) for role, share in row] for row in pairs]
    fig = head_map(shares, written, hover, title=title, axes=axes, highlighted=highlighted, colours=colours, palette=palette)
    counts = Counter(role for row in roles for role in row if role != NONE)
    for role, _ in counts.most_common():
        marker = {"symbol": "square", "size": 20, "color": css(role_colour(role, LEGEND, palette))}
        fig.add_scatter(
            x=[None], y=[None], mode="markers", marker=marker, name=plain(named(role)), showlegend=True, hoverinfo="skip"
        )
    if counts:
        place = {"y": 0, "yanchor": "top", "itemclick": False, "itemdoubleclick": False}
        fig.update_layout(showlegend=True, legend=place, height=fig.layout["height"] + 36)
    return fig


def name_lines(name: str) -> list[str]:
    """A role's name as the lines of a cell."""
    return [name] if len(name) <= FITS else name.split()


def role_colour(role: str, share: float, palette: Palette) -> Rgb:
    """The colour of a head: the hue of its role, stronger the larger the share, 0…1."""
    if role == NONE:
        return rgb(palette.panel)
    strength = min(max((share - WEAKEST) / (FULL - WEAKEST), 0.0), 1.0)
    return between(rgb(palette.surface), rgb(palette.head_roles[COLOURED_ROLES.index(role)]), TRACE + (1 - TRACE) * strength)
