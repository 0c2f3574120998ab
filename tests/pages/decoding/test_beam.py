"""Beam search and sampling of an explained sentence: in the edited model where there are edits, whatever target was typed; and what
of the tree is sent. Its numbers: tests/golden.
"""

import numpy as np
import pytest
import torch

from pages.decoding.compute import SamplingOptions, draw
from pages.decoding.data import FATES, PRUNED, beam_tree_payload, certain_candidates
from tests.plots import unpacked
from viz_core.analysis.search import GREEDY, BeamOptions, search, written
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID
from viz_core.decoding import beam_search, max_steps
from viz_core.edits import Edits
from viz_core.explain import explain, traced_pass

TEXT = "The tall nurse hides a green kettle."


def test_edits_act_in_every_step(shipped: Checkpoint) -> None:
    plain, edited = (explain(shipped, TEXT, edits=edits) for edits in (Edits(), Edits(no_positions=True)))
    first, second = (search(shipped, each, BeamOptions()) for each in (plain, edited))
    assert first.best.ids != second.best.ids
    source = torch.tensor([plain.source.ids])
    best = beam_search(shipped.model, source, 4, max_steps(shipped.config, source.size(1)), 0.6, 3)[0]
    assert first.hypotheses == best
    trace = traced_pass(shipped, [edited.source.ids], [[BOS_ID, *second.best.ids[:-1]]])
    assert not np.allclose(
        trace.array("output.log_probs")[range(len(second.best.ids)), second.best.ids], second.best.log_probs, atol=1e-2
    )


def test_a_forced_token_is_in_all_hypotheses_and_draws(shipped: Checkpoint) -> None:
    explanation = explain(shipped, TEXT, edits=Edits(force={1: "Hund"}))
    (token,) = {explanation.output[1].id}
    found, draws = search(shipped, explanation, BeamOptions()), draw(shipped, explanation, SamplingOptions(), seed=1, draws=5)
    assert found.forced == {1: token}
    assert {one.ids[1] for one in found.hypotheses} == {one.ids[1] for one in draws} == {token}
    typed = explain(shipped, TEXT, "Der Hund.", Edits(force={1: "Hund"}))
    assert search(shipped, typed, BeamOptions()).hypotheses == search(shipped, explain(shipped, TEXT), BeamOptions()).hypotheses


def test_no_token_of_the_whole_vocabulary_is_better_than_one_that_is_shown(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "She speaks French at home and German at school.")
    result = search(shipped, explanation, BeamOptions())
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


def test_a_greedy_sentence_that_is_pruned_is_followed_as_far_as_it_goes(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "My sister wants to learn how to bake her own bread.")
    result = search(shipped, explanation, BeamOptions(size=2))
    assert result.pruned is not None
    tensors, about = unpacked(beam_tree_payload(result, shipped))
    assert about["marks"]["pruned"] == result.pruned
    kept = [node for node in about["greedy"] if FATES[tensors["fate"][node]] != "pruned"]
    assert len(kept) == result.pruned == 11


def test_what_the_explanation_wrote_is_the_greedy_hypothesis(shipped: Checkpoint) -> None:
    explanation = explain(shipped, TEXT)
    alone, found = search(shipped, explanation, GREEDY).hypotheses[0], written(shipped, explanation)
    assert found and (found.ids, found.ended) == (alone.ids, alone.ended)
    for of in ("log_probs", "totals", "scores"):
        assert getattr(found, of) == pytest.approx(getattr(alone, of), abs=1e-5)
    assert written(shipped, explain(shipped, TEXT, "Ich weiß es nicht.")) is None
