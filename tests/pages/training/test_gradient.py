"""The view of the gradient: its numbers are those of the pass, its axes are labelled, and every kind of model has it."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from typing import Any

import numpy as np
import pytest

from pages.training.compute import POINTS, GradientStep, apart, curve_values
from pages.training.downloads import attention_gradient_csv, curve_csv
from pages.training.gradient_figures import gradient_maps, loss_figure
from tests.app.test_csv_files import rows
from tests.pages.test_all_pages import ROOT, words
from tests.pages.training.test_page import arrived
from tests.plots import plots
from viz_core.analysis.gradient import matrix_gradient
from viz_core.app import chosen
from viz_core.app.cache import get_explanation
from viz_core.explain import Explanation
from viz_core.texts import texts

DOG = {"text": "The cat is sleeping on the sofa.", "target": "Der Hund schläft auf dem Sofa."}
STEP = GradientStep(weight=0.5, loss=2.0, slope=-1.0, new_weight=0.9, new_loss=1.7)


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


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
    curve, weights, slopes = plots(app)
    drawn = curve["data"][0]
    weight, slope = float(found.weights[found.steepest]), float(found.gradient[found.steepest])
    middle = len(drawn["x"]) // 2
    assert drawn["x"][middle] == pytest.approx(weight)
    assert drawn["y"][middle] == pytest.approx(-float(view.current.log_probs[view.current.expected.id]), abs=1e-4)
    assert curve["data"][3]["x"] == pytest.approx([weight - eta * slope])
    queries, keys = (side.labels for side in view.explanation.sides(kind))  # type: ignore[arg-type]
    read = len(queries) if kind == "self" else view.step + 1
    for drawn in (weights, slopes):
        assert len(drawn["layout"]["yaxis"]["tickvals"]) == read
        assert len(drawn["layout"]["xaxis"]["tickvals"]) == (read if kind == "masked" else len(keys))
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


def test_rows_are_queries_and_zero_is_in_the_middle_of_the_scale() -> None:
    weights = np.array([[1.0, np.nan], [0.25, 0.75], [0.5, 0.5]])
    slopes = np.array([[0.001, np.nan], [-0.02, 0.01], [0.0, 0.0]])
    words = texts("training")
    _, maps = gradient_maps(
        weights, slopes, ["das", "alte", "Haus"], ["the", "house"], (1, 0), names=words["panels_gradient"],
        hovers=words["hovers_gradient"], axes=("query", "key"),
    )  # fmt: skip
    fig = maps.plotly()
    signed = next(trace for trace in fig.data if trace.type == "heatmap" and trace.zmin == -0.02)
    assert signed.zmax == 0.02 and signed.z.shape == (3, 2) and np.isnan(signed.z[0, 1])
    assert signed.colorbar.ticktext == ("−20", "0", "20")
    assert list(fig.layout.yaxis.ticktext)[::2] == ["das", "Haus"]
    assert "10³" in fig.layout.xaxis.title.text
    hover = {tuple(at): text for at, text in zip(fig.data[-1].customdata, fig.data[-1].hovertext, strict=True)}
    assert hover[1, 0] == "«alte», «the»: ∂L/∂A = -0.0200; more attention here would lower the loss"
    assert "would raise" in hover[1, 1] and "masked" in hover[0, 1]


def test_the_files_hold_the_numbers_of_both_figures() -> None:
    lines = rows(curve_csv(np.array([0.0, 0.5]), np.array([2.5, 2.0]), STEP))
    assert [(float(line["weight"]), float(line["loss"])) for line in lines] == [(0.0, 2.5), (0.5, 2.0), (0.9, 1.7)]
    assert [float(line["tangent"]) for line in lines] == pytest.approx([2.5, 2.0, 1.6])
    slopes = np.array([[0.5, -0.25]], dtype=np.float32)
    lines = rows(attention_gradient_csv(["q"], ["a", "b"], np.array([[0.75, 0.25]], dtype=np.float32), slopes))
    assert [(line["key"], line["attention"], line["gradient"]) for line in lines] == [("a", "0.75", "0.5"), ("b", "0.25", "-0.25")]


def test_two_numbers_are_written_apart() -> None:
    assert apart(0.10186, 0.10160) == ("0.10186", "0.10160")
    assert apart(-2.0, 3.0) == ("−2.000", "3.000")
