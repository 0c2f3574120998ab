"""The keys of the exercises are what the forward pass computed, and no known mistake is taken for right."""

import math

import pytest

from viz_core.analysis.exercises import COMPUTED, answer, wins
from viz_core.analysis.search import BeamOptions, search
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain

TEXT = "The cat is sleeping on the sofa."
STEP, LAYER, HEAD = 1, 1, 3


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


def test_each_key_follows_from_what_is_given(shipped: Checkpoint, ex: Explanation) -> None:
    """As a student would compute it, from the numbers of the question alone."""
    found = {name: answer(name, shipped, ex, STEP, LAYER, HEAD) for name in COMPUTED}
    given = {name: {k: float(v) for k, v in key.given.items() if not isinstance(v, str)} for name, key in found.items()}
    score, norm, weight, unit = (given[name] for name in ("scaled_score", "layer_norm", "softmax", "relu"))
    by_hand = {
        "tokens": (given["tokens"]["tokens"] + 1) * given["tokens"]["d_model"],
        "scaled_embedding": given["scaled_embedding"]["stored"] * 256**0.5,
        "position": math.sin(3),
        "query_weights": 256 * 32,
        "scaled_score": score["score"] / 32**0.5,
        "softmax": math.exp(weight["scaled"]) / weight["total"],
        "masked_cells": sum(range(int(given["masked_cells"]["rows"]))),
        "layer_norm": norm["gamma"] * (norm["x"] - norm["mean"]) / norm["deviation"] + norm["beta"],
        "relu": max(0.0, unit["product"] + unit["bias"]),
        "loss": -math.log(given["loss"]["p"]),
    }
    assert {name: each.value for name, each in found.items()} == pytest.approx(by_hand, rel=1e-4, abs=1e-5)
    assert given["relu"]["before"] < 0


def test_a_search_wins_only_with_another_and_better_sentence(shipped: Checkpoint) -> None:
    found = search(shipped, explain(shipped, TEXT), BeamOptions())
    assert found.best.ids == found.greedy.ids and not wins(found)
    better = search(shipped, explain(shipped, "Can you help me carry this heavy box?"), BeamOptions())
    assert wins(better) and better.best.score > better.greedy.score
