"""The payload of the beam tree: the numbers of the search, every parent where it belongs, and no uncertain rank."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from pages.decoding.data import FATES, PRUNED, beam_tree_payload, certain_candidates, comparison
from tests.payloads import Payload, unpacked
from viz_core.analysis.search import BeamOptions, BeamSearch, listed, search
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID
from viz_core.decoding import BeamSettings, beam_steps, length_penalty
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.texts import texts, visible

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


def test_the_numbers_are_those_of_the_search(payload: Payload, found: Found, shipped: Checkpoint) -> None:
    tensors, about = payload
    source = torch.tensor([found[0].source.ids])
    steps = [step for (step,) in beam_steps(shipped.model, source, BeamSettings(4, 2 * source.size(1) + 10, 0.6, n_best=3))]
    assert about["steps"] == len(steps) == int(tensors["step"].max()) + 1
    for index, step in enumerate(steps):
        nodes = np.flatnonzero(tensors["step"] == index).tolist()
        assert tensors["rank"][nodes].tolist() == list(range(len(nodes)))
        for node, one in zip(nodes, step.candidates, strict=False):
            assert spelled(tensors, node) == (*step.parents[one.parent].ids, one.token)
            assert tensors["numbers"][node].tolist() == np.array([one.log_prob, one.total, one.score], np.float32).tolist()
            assert FATES[tensors["fate"][node]] == one.fate
        told = [one for one in step.candidates[: len(nodes)] if one.fate != "pruned"]
        assert told == [one for one in step.candidates if one.fate != "pruned"]


def test_a_parent_was_kept_one_step_before_and_its_total_continues(payload: Payload) -> None:
    tensors, _ = payload
    for node, parent in enumerate(tensors["parent"].tolist()):
        log_prob, total, score = tensors["numbers"][node].tolist()
        step = int(tensors["step"][node])
        assert (parent < 0) == (step == 0)
        before = 0.0
        if parent >= 0:
            assert int(tensors["step"][parent]) == step - 1
            assert FATES[tensors["fate"][parent]] == "kept"
            before = float(tensors["numbers"][parent][1])
        assert total == pytest.approx(before + log_prob, abs=1e-5)
        assert score == pytest.approx(total / length_penalty(step + 1, 0.6), abs=1e-5)


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


def test_uncertain_candidates_could_have_wrong_ranks(found: Found) -> None:
    assert any(len(certain_candidates(step)) < min(len(step.candidates), ASKED.size + PRUNED) for step in found[1].steps)


def test_all_others_are_counted(payload: Payload, found: Found, shipped: Checkpoint) -> None:
    tensors, about = payload
    for index, step in enumerate(found[1].steps):
        shown = int((tensors["step"] == index).sum())
        assert about["others"][index] + shown == len(step.parents) * len(shipped.tokenizer)


def test_the_paths_of_the_best_hypothesis_and_of_greedy(payload: Payload, found: Found, shipped: Checkpoint) -> None:
    tensors, about = payload
    explanation, result = found
    assert tuple(tensors["token"][about["best"]].tolist()) == result.best.ids
    assert spelled(tensors, about["best"][-1]) == result.best.ids
    greedy = tuple(token.id for token in explanation.output)
    assert result.greedy.ids == greedy
    reached = [node for node in range(len(tensors["token"])) if spelled(tensors, node) == greedy[: int(tensors["step"][node]) + 1]]
    assert about["greedy"] == reached


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


def test_greedy_that_is_best_is_said_to_be(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "I love you.")
    one, four = (search(shipped, explanation, BeamOptions(size=size)) for size in (1, 4))
    assert comparison(one) == texts("decoding.tree")["same_one"]
    assert "already found it" in comparison(four)
    assert four.parts is four.ahead is None


def test_hypotheses_are_listed_with_greedys_where_it_is_none_of_them(found: Found, shipped: Checkpoint) -> None:
    explanation, result = found
    assert [each.ids for each in listed(result)] == [each.ids for each in result.hypotheses]
    single = search(shipped, explanation, BeamOptions(n_best=1))
    assert [each.ids for each in listed(single)] == [single.best.ids, single.greedy.ids]
    _, about = unpacked(beam_tree_payload(single, shipped))
    assert [(one["listed"], one["greedy"]) for one in about["endings"]] == [(True, False), (False, True)]
    for one, hypothesis in zip(about["endings"], listed(single), strict=True):
        assert one["text"] == visible(shipped.tokenizer.decode(hypothesis.tokens))
        assert one["score"] == pytest.approx(one["total"] / one["penalty"])
        assert one["length"] == len(hypothesis.ids)


def test_a_greedy_sentence_that_is_pruned_is_followed_as_far_as_it_goes(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "My sister wants to learn how to bake her own bread.")
    result = search(shipped, explanation, BeamOptions(size=2))
    assert result.pruned is not None
    tensors, about = unpacked(beam_tree_payload(result, shipped))
    assert about["marks"]["pruned"] == result.pruned
    kept = [node for node in about["greedy"] if FATES[tensors["fate"][node]] != "pruned"]
    assert len(kept) == result.pruned == 11


def test_unprintable_characters_have_a_visible_label(shipped: Checkpoint) -> None:
    result = search(shipped, explain(shipped, "</script> \x00 👍🏽"), BeamOptions())
    _, about = unpacked(beam_tree_payload(result, shipped))
    assert all(label == visible(label) and label for label in about["labels"].values())
