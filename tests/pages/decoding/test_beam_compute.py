"""Beam search and sampling of an explained sentence: in the edited model where there are edits, whatever target was typed."""

import numpy as np
import pytest
import torch

from pages.decoding.compute import SamplingOptions, draw, truncated
from viz_core.analysis.search import GREEDY, BeamOptions, search, written
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID, EOS_ID
from viz_core.decoding import beam_search, filtered, max_steps
from viz_core.edits import Edits
from viz_core.explain import explain, traced_pass

TEXT = "The tall nurse hides a green kettle."


@pytest.mark.parametrize("edits", [Edits(no_causal_mask=True), Edits(force={2: "Hund"}, no_positions=True)], ids=str)
def test_size_1_writes_what_the_explanation_wrote(shipped: Checkpoint, edits: Edits) -> None:
    explanation = explain(shipped, TEXT, edits=edits)
    found = search(shipped, explanation, BeamOptions(size=1, length_penalty=0.0, n_best=1))
    written = tuple(token.id for token in explanation.output)
    assert found.greedy.ids == found.best.ids == written


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


def test_a_draw_has_the_log_probability_of_the_model_itself(shipped: Checkpoint) -> None:
    explanation = explain(shipped, TEXT)
    draws = draw(shipped, explanation, SamplingOptions(temperature=1.3, top_k=50, top_p=0.95), seed=3, draws=4)
    assert draws == draw(shipped, explanation, SamplingOptions(temperature=1.3, top_k=50, top_p=0.95), seed=3, draws=6)[:4]
    assert len({each.ids for each in draws}) > 1
    for each in draws:
        assert each.ids[-1] == EOS_ID
        assert EOS_ID not in each.ids[:-1]
        trace = traced_pass(shipped, [explanation.source.ids], [[BOS_ID, *each.ids[:-1]]])
        rows = trace.array("output.log_probs")
        own = [float(rows[step, token]) for step, token in enumerate(each.ids)]
        assert each.total == pytest.approx(sum(own), abs=1e-3)
        assert each.before == pytest.approx(np.exp(own), rel=1e-3)
        for step, token in enumerate(each.ids):
            after = truncated(rows[step], SamplingOptions(1.3, 50, 0.95))
            assert each.after[step] == pytest.approx(float(after.after[after.ids == token][0]), rel=1e-2)


def test_a_distribution_goes_from_the_most_to_the_least_probable(shipped: Checkpoint) -> None:
    log_probs = explain(shipped, TEXT).steps[2].log_probs
    found, expected = (
        truncated(log_probs, SamplingOptions(2.0, 30, 0.8)),
        filtered(torch.from_numpy(np.array(log_probs)), 2.0, 30, 0.8),
    )
    assert (np.diff(found.tempered) <= 0).all()
    assert found.model[0] == pytest.approx(np.exp(np.float64(log_probs.max())))
    assert found.count == int(expected.count) <= 30
    assert (found.after[: found.count] > 0).all()
    assert not found.after[found.count :].any()
    assert found.after.sum() == pytest.approx(1)
    assert found.kept == pytest.approx(found.tempered[: found.count].sum(), abs=1e-5)
    assert found.after[0] == pytest.approx(found.tempered[0] / found.kept, rel=1e-5)


def test_what_the_explanation_wrote_is_the_greedy_hypothesis(shipped: Checkpoint) -> None:
    explanation = explain(shipped, TEXT)
    alone, found = search(shipped, explanation, GREEDY).hypotheses[0], written(shipped, explanation)
    assert found and (found.ids, found.ended) == (alone.ids, alone.ended)
    for of in ("log_probs", "totals", "scores"):
        assert getattr(found, of) == pytest.approx(getattr(alone, of), abs=1e-5)
    assert written(shipped, explain(shipped, TEXT, "Ich weiß es nicht.")) is None
