"""Attention figures and masks: which way round they are, what axes, hovers and their description say, and that a masked cell is
grey and never 0.
"""

import numpy as np
import plotly.graph_objects as go

from viz_core.figures.attention import attention_heatmap, signed
from viz_core.figures.base import figure, say, share_in_cell, spoken_sentences, titles
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT

QUERIES, KEYS = ["das", "alte", "Haus"], ["the", "house"]
WEIGHTS = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
TRIANGLE = np.array([[1.0, np.nan, np.nan], [0.3, 0.7, np.nan], [0.2, 0.2, 0.6]])
SEEN = np.array([[0.25, 0.75], [0.6, np.nan]], dtype=np.float32)
READ, KEPT = ["⟨s⟩", "<b>Katze</b>"], ["the", "a & $b$"]
HOSTILE = ["</script>", "*x*", "$x$", "<b>", ":smile:", "🦦", "\0", "汉字"]


def hovers(fig: go.Figure) -> dict[tuple[int, int], str]:
    """What is said over each cell, by (row, column)."""
    heat = fig.data[0]
    end = heat.hovertemplate.removeprefix("%{hovertext}").removesuffix("<extra></extra>")
    return {(y, x): text + end for y, line in enumerate(heat.hovertext) for x, text in enumerate(line)}


def texts(fig: go.Figure) -> str:
    """Everything that is written into the cells."""
    return " ".join(cell for trace in fig.data if trace.texttemplate for line in trace.text for cell in line)


def test_rows_are_queries() -> None:
    fig = attention_heatmap(WEIGHTS, QUERIES, KEYS, title="", where="layer 3, head 5", axes=("target", "source")).plotly()
    assert fig.data[0].z.shape == (3, 2)
    assert list(fig.layout.yaxis.ticktext) == QUERIES and list(fig.layout.xaxis.ticktext) == KEYS
    assert (fig.layout.yaxis.title.text, fig.layout.xaxis.title.text) == ("target", "source")
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]  # the first query on top
    assert hovers(fig)[2, 1] == "«Haus» gives 80 % of its attention to «house», layer 3, head 5"


def test_a_masked_cell_is_grey_and_never_zero() -> None:
    fig = attention_heatmap(TRIANGLE, QUERIES, QUERIES, title="").plotly()
    assert np.isnan(fig.data[0].z[0, 1]) and fig.layout.plot_bgcolor == LIGHT.masked
    assert "0" not in texts(fig).replace("100", "").replace("70", "").replace("60", "").replace("30", "").replace("20", "")
    assert hovers(fig)[0, 2] == "«das» cannot attend to «Haus»: masked"


def test_a_number_never_seems_to_be_zero() -> None:
    assert [signed(v, 1) for v in (-0.04, 0.0, 2.55, -0.0004)] == ["−0.04", "0.0", "2.5", "−0.0004"]


def test_tokens_are_shown_as_typed() -> None:
    fig = attention_heatmap(np.full((8, 8), 0.125), HOSTILE, HOSTILE, title="").plotly()
    assert list(fig.layout.xaxis.ticktext[:4]) == ["&lt;/script&gt;", "*x*", "&#36;x&#36;", "&lt;b&gt;"]
    assert list(fig.layout.yaxis.ticktext[5:]) == ["🦦", "⟨00⟩", "汉字"]
    assert "<b>" not in hovers(fig)[3, 3] and "$" not in hovers(fig)[2, 2]


def test_a_number_has_room_in_its_cell_and_is_never_rounded_to_all() -> None:
    shares = (np.nan, 0.0, 0.0049, 0.005, 0.096, 0.974, 0.9949, 0.995, 0.9999999, 1.0)
    assert [share_in_cell(share) for share in shares] == ["", "", "", "0.5", "9.6", "97", "99", ">99", ">99", "100"]


def described(fig: Figure) -> str:
    """A figure in words, as `viz_core/browser/plot/plot.ts` puts them together."""
    return ". ".join(dict.fromkeys(each for each in (titles(fig), *spoken_sentences(fig)) if each))


def test_title_axes_and_the_strongest_of_the_current_row_as_they_were_typed() -> None:
    fig = attention_heatmap(SEEN, READ, KEPT, title="Head 2", where="layer 3", axes=("queries", "keys"), row=1)
    said = "Head 2. Horizontal axis: keys. Vertical axis: queries. «<b>Katze</b>» gives 60 % of its attention to «the», layer 3"
    assert described(fig) == said
    assert described(attention_heatmap(SEEN, READ, KEPT, title="", row=0)).endswith(
        "«⟨s⟩» gives 75 % of its attention to «a & $b$»"
    )


def test_an_axis_without_a_name_is_left_out() -> None:
    fig = figure(LIGHT, title="Nearest", height=300)
    fig.update_xaxes(title={"text": "cosine"})
    say(fig, "«cat» 0.50; «dog» −0.25")
    assert described(fig) == "Nearest. Horizontal axis: cosine. «cat» 0.50; «dog» −0.25"
