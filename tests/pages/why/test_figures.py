"""The figures about one word: typed text stays text, and what is still to come has no number. What is where, tests/golden holds."""

import numpy as np
import pytest

from pages.why.figures import Summand, WordLine, WordScores, source_bars, sum_bars, word_lines
from tests.plots import described
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import LensCell, lens_map

TYPED, SHOWN = "<b>$x$</b>", "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"
FIGURES = {
    "lens": lens_map(
        [[LensCell((TYPED, "9 %"), 0.9, TYPED, highlighted=True)]], ["start"], [TYPED], title="", axes=("", ""), highlighted=0
    ),
    "sum": sum_bars([Summand(TYPED, -0.5, layer=1)], Summand("all", 2.5), title="", axes=("", ""), layer=1),
    "scores": source_bars([TYPED], [WordScores(TYPED, "nats", np.array([1.0]), 0)], title="", axis=""),
    "lines": word_lines(
        [TYPED], [TYPED], [WordLine(0, 0, 1.0, TYPED)], title="", names=("from", "to"), highlighted=0, data=[4]
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_typed_text_stays_text(name: str) -> None:
    written = str(FIGURES[name].plotly().to_dict())
    assert SHOWN in written and TYPED not in written and "<b>$" not in written and "$x$" not in written
    assert "<b>$x$</b>" in described(FIGURES[name])


def test_scores_that_are_still_to_come_have_no_bars_and_no_numbers() -> None:
    ready, awaited = WordScores("one", "nats", np.array([1.0, 2.0]), 1, "wait"), WordScores("two", "nats", None, None, "wait")
    fig: Figure = source_bars(["a", "b"], [ready, awaited], title="", axis="")
    layout, (one, two) = fig.plotly().layout, fig.plotly().data
    shown = [note for note in layout.annotations if note.text == "wait" and note.visible]
    assert [note.x for note in shown] == [pytest.approx(np.mean(layout.xaxis2.domain))]
    assert list(two.x) == [0, 0] and list(two.text) == ["", ""] and two.hovertext[0] == "two, «a»: …"
    assert layout.xaxis2.showticklabels is False and layout.xaxis.showticklabels is True
    assert list(one.text) == ["1.00", "2.00"]
