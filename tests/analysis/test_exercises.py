"""The keys of the exercises are what the forward pass computed, and no known mistake is taken for right."""

import math

import numpy as np
import pytest

from tests.edit_examples import EXAMPLES
from viz_core.analysis.exercises import COMPUTED, answer, lost_token, wins
from viz_core.analysis.search import BeamOptions, search
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Layer
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


@pytest.mark.parametrize("text", [TEXT, "Go!", "Where is the train station?", "I", "😀 </script>"])
def test_no_known_mistake_is_taken_for_right(shipped: Checkpoint, text: str) -> None:
    """Unless it gives the same, as where a token has probability 1, or all of a text's words are one token each."""
    explanation = explain(shipped, text)
    for name in COMPUTED:
        key = answer(name, shipped, explanation, len(explanation.steps) - 1, 0, 0)
        assert math.isfinite(key.value), name
        if text == TEXT and name != "loss":
            assert all(abs(slip - key.value) > key.tolerance for slip in key.slips.values()), name


@pytest.mark.parametrize("name", ["heads", "no_causal_mask", "no_padding_mask", "no_layer_norm", "force"])
def test_an_edited_model_has_keys_too(shipped: Checkpoint, name: str) -> None:
    explanation = explain(shipped, TEXT, edits=EXAMPLES[name])
    keys = [answer(each, shipped, explanation, 0, 0, 0) for each in COMPUTED]
    if "not_finite" not in {notice.code for notice in explanation.notices}:
        assert np.isfinite([key.value for key in keys]).all()


def test_a_search_wins_only_with_another_and_better_sentence(shipped: Checkpoint) -> None:
    found = search(shipped, explain(shipped, TEXT), BeamOptions())
    assert found.best.ids == found.greedy.ids and not wins(found)
    better = search(shipped, explain(shipped, "Can you help me carry this heavy box?"), BeamOptions())
    assert wins(better) and better.best.score > better.greedy.score


def test_a_lost_token_is_one_that_the_edited_model_nowhere_writes(shipped: Checkpoint, ex: Explanation) -> None:
    without_layer = explain(shipped, TEXT, edits=Edits(layers=frozenset({Layer("decoder", 0)})))
    written = {token.id for token in without_layer.output}
    for step, token in enumerate(ex.output):
        assert lost_token(ex, without_layer, step) == (token.id not in written)
    assert not lost_token(ex, ex, 2)
