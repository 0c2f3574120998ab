"""A figure in all its states: what changes, and nothing else, is sent."""

import numpy as np

from tests.payloads import unpacked
from tests.plots import figure_of
from viz_core.app.plot import plot_payload
from viz_core.figures.base import figure, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT


def made(step: int, layer: int) -> Figure:
    fig = figure(LIGHT, title=f"step {step}")
    fig.add_heatmap(z=np.array([[np.nan, 1.0]]), text=[str(10 * step), str(10 * step + 1)], zmin=float("nan"))
    fig.add_bar(x=[0.0, float(step)], y=[])
    fig.add_shape(type="rect", x0=layer)
    say(fig, layer, "the same")
    return fig


def test_each_group_changes_what_is_its_own() -> None:
    steps, layers = [made(step, 0) for step in range(3)], [made(0, layer) for layer in range(2)]
    payload = plot_payload(made(0, 0), {("step",): steps, ("layer",): layers})
    changes = [group["at"] for group in unpacked(payload)[1]["states"]]
    assert changes[0][0] == changes[1][0] == []
    assert {tuple(change[:-1]) for change in changes[0][2]} == {
        ("data", 0, "text"), ("data", 1, "x", 1), ("layout", "title", "text"), ("layout", "meta", "titles"),
    }  # fmt: skip
    assert changes[1][1] == [["layout", "shapes", 0, "x0", 1], ["layout", "meta", "says", 0, 1]]
    both = figure_of(payload, {"step": 2, "layer": 1})
    assert both["data"][0]["text"] == ["20", "21"] and both["layout"]["shapes"][0]["x0"] == 1
    assert both["layout"]["meta"] == {"titles": "step 2", "says": [1, "the same"]}
