"""The view of the gradient: its numbers are those of the pass, its axes are labelled, and every kind of model has it."""

import numpy as np
import pytest

from pages.training.compute import POINTS, GradientStep, curve_values
from pages.training.gradient import loss_figure
from tests.pages.test_all_pages import words
from tests.pages.training.test_page import arrived
from tests.plots import answered, plots
from viz_core.analysis.gradient import attention_gradient, matrix_gradient

DOG = {"text": "The cat is sleeping on the sofa.", "target": "Der Hund schläft auf dem Sofa."}
STEP = GradientStep(weight=0.5, loss=2.0, slope=-1.0, new_weight=0.9, new_loss=1.7)


@pytest.mark.parametrize(
    "link",
    [{"step": "2", **DOG}, {"model": "en-de-tiny", "kind": "masked", "matrix": "w_1", "eta": "1", "layer": "2", "step": "3"}],
    ids=str,
)
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
