"""What a figure leaves out it says: bars sum to 100 %, a title quotes whole words."""

from __future__ import annotations

import pytest

from pages.decoding.truncation import truncation
from tests.pages.test_all_pages import opened
from tests.payloads import unpacked
from tests.plots import plots
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

VIEWS = [
    ("training", {"show": "loss", "first": "target"}, "y"),
    ("decoding", {"case": "non_autoregressive", "decoder": "masked"}, "x"),
    ("decoding", {"case": "non_autoregressive", "decoder": "plain"}, "x"),
]
"""Page, parameters, and the axis along which its bars grow."""


@pytest.mark.parametrize(("page", "parameters", "axis"), VIEWS)
def test_the_bars_of_each_distribution_sum_to_a_hundred_percent(page: str, parameters: dict[str, str], axis: str) -> None:
    app = opened(f"pages/{page}/page.py", text="I love you.", **parameters)
    bars = [trace for plot in plots(app) for trace in plot["data"] if trace["type"] == "bar"]
    assert len(bars) > 1
    for trace in bars:
        assert sum(float(value) for value in trace[axis] if value is not None) == pytest.approx(1, abs=1e-3), trace.get("name")


def test_a_title_quotes_whole_words_and_a_table_is_named_for_what_it_holds(shipped: Checkpoint) -> None:
    text = "My brother bought a new bicycle yesterday."
    _, cut = unpacked(truncation(shipped, explain(shipped, text), 1.0, 0, 1.0, 0, 0))
    assert "after “… Bruder hat gestern ein neues Fahrrad”" in cut["titles"][7]
    copied = opened("decoding/page.py", text=text, case="copying").get("html")
    assert [each for each in copied if "The output without copying, and with it" in each.proto.body]
    assert not [each for each in copied if "Sampled" in each.proto.body]
