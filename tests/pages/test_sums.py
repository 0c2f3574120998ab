"""Bars of probabilities sum to 100 %: those of all other tokens together stand last."""

from __future__ import annotations

import pytest

from tests.pages.test_all_pages import opened
from tests.plots import plots

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
