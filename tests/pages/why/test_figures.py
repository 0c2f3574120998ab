"""The figures about one word: typed text stays text. What is where, tests/golden holds."""

import pytest

from pages.why.figures import Summand, sum_bars
from tests.plots import described
from viz_core.figures.head_map import LensCell, lens_map

TYPED, SHOWN = "<b>$x$</b>", "&lt;b&gt;&#36;x&#36;&lt;/b&gt;"
FIGURES = {
    "lens": lens_map(
        [[LensCell((TYPED, "9 %"), 0.9, TYPED, highlighted=True)]], ["start"], [TYPED], title="", axes=("", ""), highlighted=0
    ),
    "sum": sum_bars([Summand(TYPED, -0.5, layer=1)], Summand("all", 2.5), title="", axes=("", ""), layer=1),
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_typed_text_stays_text(name: str) -> None:
    written = str(FIGURES[name].plotly().to_dict())
    assert SHOWN in written and TYPED not in written and "<b>$" not in written and "$x$" not in written
    assert "<b>$x$</b>" in described(FIGURES[name])
