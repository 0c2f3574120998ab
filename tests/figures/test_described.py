"""A figure in words: what it is, its axes, and what it says of the current view."""

import numpy as np

from tests.plots import described
from viz_core.figures.attention import attention_heatmap
from viz_core.figures.base import figure, say
from viz_core.figures.palette import LIGHT

WEIGHTS = np.array([[0.25, 0.75], [0.6, np.nan]], dtype=np.float32)
QUERIES, KEYS = ["⟨s⟩", "<b>Katze</b>"], ["the", "a & $b$"]


def test_title_axes_and_the_strongest_of_the_current_row_as_they_were_typed() -> None:
    fig = attention_heatmap(WEIGHTS, QUERIES, KEYS, title="Head 2", where="layer 3", axes=("queries", "keys"), row=1)
    said = "Head 2. Horizontal axis: keys. Vertical axis: queries. «<b>Katze</b>» gives 60 % of its attention to «the», layer 3"
    assert described(fig) == said
    assert described(attention_heatmap(WEIGHTS, QUERIES, KEYS, title="", row=0)).endswith(
        "«⟨s⟩» gives 75 % of its attention to «a & $b$»"
    )


def test_an_axis_without_a_name_is_left_out() -> None:
    fig = figure(LIGHT, title="Nearest", height=300)
    fig.update_xaxes(title={"text": "cosine"})
    say(fig, "«cat» 0.50; «dog» −0.25")
    assert described(fig) == "Nearest. Horizontal axis: cosine. «cat» 0.50; «dog» −0.25"
