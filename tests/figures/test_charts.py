"""Charts, tables and masks: direction, labels, and numbers that fit each other."""

import numpy as np

from pages.masked_attention.masks import mask_matrix
from viz_core.figures.palette import LIGHT
from viz_core.figures.table import amount


def test_amounts_never_vanish() -> None:
    assert [amount(v) for v in (1234.56, 2.5, 0.0123, 3.2e-9, 4.56e8)] == ["1,234.6", "2.500", "0.0123", "3.2·10⁻⁹", "4.6·10⁸"]


def test_a_mask_says_why_each_cell_is_closed() -> None:
    later, pad = ~np.tril(np.ones((3, 3), dtype=bool)), np.array([[False, False, True]] * 3)
    tokens = ["⟨s⟩", "das", "⟨pad⟩"]
    fig = mask_matrix(
        {"comes later": later, "only fills up": pad},
        tokens,
        tokens,
        title="",
        open_words="open",
        marks=["later", "pad"],
        axes=("a", "b"),
    ).plotly()
    heat = fig.data[0]
    np.testing.assert_array_equal(heat.z, later | pad)
    assert heat.hovertext[0][2] == "«⟨s⟩» → «⟨pad⟩»: comes later, only fills up"
    assert heat.hovertext[2][0].endswith("open") and "0" not in "".join(cell for line in heat.text for cell in line)
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis.title.text) == ("a", "b")
    assert heat.colorscale[1][1] == LIGHT.masked
