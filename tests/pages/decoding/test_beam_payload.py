"""The payload of the beam tree: no uncertain rank, and what it says of greedy. Its numbers are held in tests/golden."""

from typing import Any

import pytest

from pages.decoding.data import FATES, PRUNED, beam_tree_payload, certain_candidates
from tests.payloads import Payload, unpacked
from viz_core.analysis.search import BeamOptions, BeamSearch, search
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID
from viz_core.decoding import length_penalty
from viz_core.explain import Explanation, explain, traced_pass

TEXT = "She speaks French at home and German at school."
ASKED = BeamOptions(size=4, length_penalty=0.6, n_best=3)
Found = tuple[Explanation, BeamSearch]


@pytest.fixture(scope="module")
def found(shipped: Checkpoint) -> Found:
    explanation = explain(shipped, TEXT)
    return explanation, search(shipped, explanation, ASKED)


@pytest.fixture(scope="module")
def payload(found: Found, shipped: Checkpoint) -> Payload:
    return unpacked(beam_tree_payload(found[1], shipped))


def spelled(tensors: Any, node: int) -> tuple[int, ...]:
    """The ids from the start of the sentence up to a node."""
    parent = int(tensors["parent"][node])
    return (*(spelled(tensors, parent) if parent >= 0 else ()), int(tensors["token"][node]))


def test_no_token_of_the_whole_vocabulary_is_better_than_one_that_is_shown(found: Found, shipped: Checkpoint) -> None:
    explanation, result = found
    for step in result.steps[:5]:
        targets = [[BOS_ID, *parent.ids] for parent in step.parents]
        trace = traced_pass(shipped, [explanation.source.ids] * len(targets), targets)
        every = [
            (parent.total + float(log_prob), row, token)
            for row, parent in enumerate(step.parents)
            for token, log_prob in enumerate(trace["output.log_probs"][row, -1].tolist())
        ]
        shown = certain_candidates(step)
        best = sorted(every, key=lambda one: -one[0])[: len(shown)]
        assert [(one.parent, one.token) for one in shown] == [(row, token) for _, row, token in best]
        assert len([one for one in shown if one.fate == "pruned"]) <= PRUNED


def test_where_the_best_hypothesis_overtakes_greedy_is_counted_and_said(payload: Payload, found: Found) -> None:
    _, about = payload
    best, greedy = found[1].best, found[1].greedy
    ahead = [
        sum(best.log_probs[: t + 1]) / length_penalty(t + 1, 0.6) > sum(greedy.log_probs[: t + 1]) / length_penalty(t + 1, 0.6)
        for t in range(min(len(best.ids), len(greedy.ids)))
    ]
    parts = next(t for t, pair in enumerate(zip(best.ids, greedy.ids, strict=False)) if pair[0] != pair[1])
    since = len(ahead) - ahead[::-1].index(False)
    assert about["marks"] == {"parts": parts, "ahead": since, "pruned": None}
    assert 0 < parts < since
    assert f"at step {parts + 1};" in about["message"]
    assert f"from step {since + 1} on" in about["message"]
    assert f"{best.score:.3f} against {greedy.score:.3f}".replace("-", "−") in about["message"]


def test_a_greedy_sentence_that_is_pruned_is_followed_as_far_as_it_goes(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "My sister wants to learn how to bake her own bread.")
    result = search(shipped, explanation, BeamOptions(size=2))
    assert result.pruned is not None
    tensors, about = unpacked(beam_tree_payload(result, shipped))
    assert about["marks"]["pruned"] == result.pruned
    kept = [node for node in about["greedy"] if FATES[tensors["fate"][node]] != "pruned"]
    assert len(kept) == result.pruned == 11
