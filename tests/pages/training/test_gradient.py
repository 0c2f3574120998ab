"""The view of the gradient: its numbers are those of the pass, its axes are labelled, and every kind of model has it."""

from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest

from pages.training.compute import POINTS, GradientStep, apart, curve_values
from pages.training.gradient import loss_figure
from tests.pages.test_all_pages import words
from tests.pages.training.test_page import arrived
from tests.plots import answered, plots
from viz_core.analysis.gradient import attention_gradient, matrix_gradient
from viz_core.app import chosen
from viz_core.app.cache import get_explanation
from viz_core.explain import Explanation
from viz_core.texts import texts

DOG = {"text": "The cat is sleeping on the sofa.", "target": "Der Hund schläft auf dem Sofa."}
STEP = GradientStep(weight=0.5, loss=2.0, slope=-1.0, new_weight=0.9, new_loss=1.7)


@pytest.mark.parametrize(
    "link",
    [
        {"step": "2", **DOG}, {"model": "en-de-tiny", "kind": "masked", "matrix": "w_1", "eta": "1", "layer": "2"},
        {"kind": "self", "matrix": "w_o", "snapshot": "0", "model": "en-de-tiny", "step": "3"},
    ],
    ids=str,
)  # fmt: skip
def test_the_view_shows_the_gradient_of_this_step(link: dict[str, str]) -> None:
    app = arrived(show="gradient", **link)
    view = app.session_state["_view"]
    kind, matrix, eta = link.get("kind", "cross"), link.get("matrix", "w_v"), float(link.get("eta", "100"))
    found = matrix_gradient(view.checkpoint.model, view.explanation, view.step, kind, view.layer, view.head, matrix)  # type: ignore[arg-type]
    (curve,), ((arrays, about),) = plots(app), answered(app, "token_maps")
    drawn = curve["data"][0]
    weight, slope = float(found.weights[found.steepest]), float(found.gradient[found.steepest])
    middle = len(drawn["x"]) // 2
    assert drawn["x"][middle] == pytest.approx(weight)
    assert drawn["y"][middle] == pytest.approx(-float(view.current.log_probs[view.current.expected.id]), abs=1e-4)
    assert curve["data"][3]["x"] == pytest.approx([weight - eta * slope])
    queries, keys = (side.labels for side in view.explanation.sides(kind))  # type: ignore[arg-type]
    read = len(queries) if kind == "self" else view.step + 1
    through = attention_gradient(view.checkpoint.model, view.explanation, view.step, kind, view.layer)[view.head]  # type: ignore[arg-type]
    columns = read if kind == "masked" else len(keys)
    assert (len(about["queries"]), len(about["keys"])) == arrays["weights"].shape == (read, columns)
    may = ~np.isnan(arrays["slopes"])
    assert arrays["slopes"][may] == pytest.approx(through[may]) and tuple(about["cell"]) == divmod(
        int(np.abs(np.nan_to_num(arrays["slopes"])).argmax()), columns
    )
    assert "W_{i,j}" in words(app)


def test_a_model_whose_loss_is_no_number_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    known = get_explanation

    def unknown(*arguments: Any) -> Explanation:
        ex = known(*arguments)
        return replace(ex, steps=tuple(replace(step, log_probs=np.full_like(step.log_probs, np.nan)) for step in ex.steps))

    monkeypatch.setattr(chosen, "get_explanation", unknown)
    app = arrived(show="gradient")
    assert texts("training")["unknown"] in words(app)
    assert not plots(app)


def test_a_matrix_without_influence_says_so() -> None:
    told = unescape(words(arrived(show="gradient", kind="masked", matrix="w_q", step="1")))
    assert "The gradient is 0 for every weight" in told


def test_the_arrow_leads_along_the_tangent_to_the_new_weight() -> None:
    weights = np.array(curve_values(0.5, 0.9, 0.1, 10))
    assert (len(weights), weights[POINTS // 2]) == (POINTS, 0.5)
    assert weights[0] < 0.5 and weights[-1] > 0.9
    names = ["curve", "tangent", "now", "after"]
    fig = loss_figure(weights, weights**2, STEP, [""] * POINTS, title="", names=names, axes=("w", "loss")).plotly()
    (arrow,) = fig.layout.annotations
    assert (arrow.ax, arrow.ay, arrow.x, arrow.y) == (0.5, 2.0, 0.9, pytest.approx(1.6))
    assert fig.data[3].x == (0.9,) and fig.data[3].y == (1.7,)
    assert (fig.layout.xaxis.title.text, fig.layout.yaxis.title.text) == ("w", "loss")


def test_the_scale_of_the_slopes_has_two_digits_and_says_what_more_attention_does() -> None:
    ((arrays, about),) = answered(arrived(show="gradient", kind="masked", step="3"), "token_maps")
    _, slopes = about["maps"]
    limit = float(np.nanmax(np.abs(arrays["slopes"])))
    assert slopes["limit"] == pytest.approx(limit) and slopes["end"] == f"{limit * slopes['times']:.0f}" and len(slopes["end"]) == 2
    assert ("10" in slopes["name"]) == (slopes["times"] > 1)
    assert "lower the loss" in slopes["below"] and "raise the loss" in slopes["hover"] and "masked" in slopes["masked"]


def test_two_numbers_are_written_apart() -> None:
    assert apart(0.10186, 0.10160) == ("0.10186", "0.10160")
    assert apart(-2.0, 3.0) == ("−2.000", "3.000")
