"""The CSV of the page on the code: the calls with the lines that make them, costs that add up, what a variant changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pages.code.calls import walk
from pages.code.compute import predictions, untrained
from pages.code.downloads import calls_csv, cost_csv, effect_csv, places_csv, predictions_csv, spreads_csv
from tests.app.test_csv_files import column, rows
from viz_core.analysis.cost import BASE, parameters, products
from viz_core.analysis.variants import VARIANTS, effect
from viz_core.analysis.variants.initialisation import Learning, Spread
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "A baker carries two umbrellas.", "Ein Bäcker.")


def test_the_calls_are_in_order_with_line_shape_and_cost(ex: Explanation, checkpoint: Checkpoint) -> None:
    calls = walk(checkpoint.model)
    lines = rows(calls_csv(calls, ex.trace))
    assert [line["site"] for line in lines] == [call.name for call in calls]
    for call, line in zip(calls, lines, strict=True):
        assert line["shape"] == " × ".join(map(str, ex.trace[call.name].shape))
        assert int(line["line"]) == call.stack[-1].number
    assert sum(int(line["parameters"]) for line in lines) == parameters(checkpoint.config)
    assert sum(int(line["multiply_adds"]) for line in lines) == products(checkpoint.config, len(ex.source), len(ex.target))
    (weights,) = [line for line in lines if line["site"] == "encoder.0.self_attn.weights"]
    assert np.float32(weights["greatest"]) == ex.trace["encoder.0.self_attn.weights"].max()
    assert {line["least"] for line in lines if line["site"].endswith(".mask")} == {""}
    assert "-inf" in {line["least"] for line in lines if line["site"].endswith(".masked")}


def test_the_parts_cost_what_all_costs() -> None:
    lines = rows(cost_csv(BASE, 50, 20))
    assert sum(int(line["parameters"]) for line in lines) == parameters(BASE)
    assert sum(int(line["with_weights"]) + int(line["with_positions"]) for line in lines) == products(BASE, 50, 20)


def test_a_variant_is_beside_the_model_as_it_is(ex: Explanation, checkpoint: Checkpoint) -> None:
    edits = VARIANTS["no_root"].edits
    assert edits
    found = effect(checkpoint, ex, lambda: edits(checkpoint.model))
    lines = rows(effect_csv(ex, found, checkpoint.tokenizer))
    ids = [token.id for token in ex.output]
    assert [int(line["id"]) for line in lines] == ids
    for name, array in (("as_it_is", found.before), ("with_variant", found.after)):
        assert (column(lines, f"log_prob_{name}") == array[range(len(ids)), ids]).all()
        assert [line[f"best_{name}"] for line in lines] == [checkpoint.tokenizer.token_text(int(i)) for i in array.argmax(-1)]


def test_trained_and_untrained_are_side_by_side(ex: Explanation, checkpoint: Checkpoint) -> None:
    trained, fresh = predictions(checkpoint, ex), predictions(untrained(checkpoint, 1), ex)
    lines = rows(predictions_csv(ex, trained, fresh))
    for name, found in (("trained", trained), ("untrained", fresh)):
        assert math.isclose(sum(float(line[f"loss_{name}"]) for line in lines) / len(lines), found.loss)
        assert [float(line[f"entropy_{name}"]) for line in lines] == list(found.entropies)


def test_models_before_training() -> None:
    made = Learning({"encoder": [1.0], "decoder": [2.0, 3.0]}, {"encoder": [4.0], "decoder": [5.0, 6.0]}, 7.5)
    last = rows(places_csv({"pre": made, "post": made}))[-1]
    assert last == {"norm": "post", "stack": "decoder", "layer": "2", "gradient": "3.0", "stream": "6.0", "loss": "7.5"}
    (line,) = rows(spreads_csv({"torch": Spread(1.0, 2.0, 3.0, 4.0, 5.0)}))
    assert line == {"weights": "torch", "lookup": "1.0", "input": "2.0", "memory": "3.0", "logits": "4.0", "loss": "5.0"}
