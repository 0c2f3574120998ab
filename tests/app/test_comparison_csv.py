"""The CSV of two explanations side by side: both sides' numbers, and their difference."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.test_csv_files import column, rows
from viz_core.analysis.divergence import compare_explanations
from viz_core.app.comparison import attentions_csv, comparison_csv, difference_csv
from viz_core.browser.output_payload import Side
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import explain

TEXT, TARGET = "A baker carries two umbrellas.", "Ein Bäcker."


@pytest.fixture(scope="module")
def sides(checkpoint: Checkpoint) -> tuple[Side, Side]:
    return (
        Side("trained", explain(checkpoint, TEXT, TARGET), checkpoint),
        Side("edited", explain(checkpoint, TEXT, TARGET, edits=Edits(uniform=frozenset({"cross"}))), checkpoint),
    )


def test_both_outputs_and_their_divergence_are_the_recorded_numbers(sides: tuple[Side, Side]) -> None:
    left, right = sides
    found = compare_explanations(left.explanation, right.explanation, right.explanation.trace)
    lines = [line for line in rows(comparison_csv(left, right, found)) if line["written"] == "1"]
    before, after = found.log_probs()
    assert column(lines, "log_prob").tolist() == pytest.approx([*before, *after])
    assert column(lines, "divergence_bits").tolist() == pytest.approx([*found.divergence, *found.divergence])
    alone = rows(comparison_csv(left, right))
    assert {line["log_prob_other_side"] for line in alone} == {""}


def test_both_attentions_and_their_difference_read_back(sides: tuple[Side, Side]) -> None:
    left, right = (side.explanation for side in sides)
    lines = [line for line in rows(attentions_csv(left, right, "cross")) if (line["side"], line["layer"]) == ("right", "1")]
    assert (column(lines, "weight") == right.trace.attention("cross", 0).weights.ravel()).all()
    differences = rows(difference_csv(left, right, "cross"))
    sums: dict[tuple[str, ...], float] = {}
    for line in differences:
        assert float(line["difference"]) == pytest.approx(float(line["right"]) - float(line["left"]))
        at = line["layer"], line["head"], line["query_index"]
        sums[at] = sums.get(at, 0.0) + float(line["difference"])
    assert np.allclose(list(sums.values()), 0, atol=1e-6)  # no word is left out
