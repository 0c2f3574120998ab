"""The CSV of a search and of draws: its lines add up."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np
import pytest

from pages.decoding.beam import candidates_csv, hypotheses_csv
from pages.decoding.compute import SamplingOptions, draw, truncated
from pages.decoding.mask_predict_figures import lengths_csv, rivals_csv
from pages.decoding.non_autoregressive_compute import PredictedPass, Prediction
from pages.decoding.sampling import distribution_csv, draws_csv
from tests.app.test_csv_files import rows
from viz_core.analysis.search import BeamOptions, BeamSearch, search
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import length_penalty
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain

TEXT = "She speaks French at home and German at school."


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT, edits=Edits(force={2: "Deutsch"}))


@pytest.fixture(scope="module")
def found(shipped: Checkpoint, ex: Explanation) -> BeamSearch:
    return search(shipped, ex, BeamOptions(size=3, length_penalty=0.7, n_best=2))


def test_every_candidate_has_its_fate(found: BeamSearch, shipped: Checkpoint) -> None:
    lines = rows(candidates_csv(found, shipped.tokenizer))
    assert len(lines) == sum(len(step.candidates) for step in found.steps)
    totals = [0.0]
    for at, group in groupby(lines, key=lambda line: int(line["step"])):
        kept = []
        for line in group:
            total = totals[int(line["parent"]) - 1] + float(line["log_prob"])
            assert math.isclose(float(line["total"]), total, abs_tol=1e-9)
            assert math.isclose(float(line["score"]), total / length_penalty(at, 0.7), abs_tol=1e-9)
            kept += [total] * (line["fate"] == "kept")
            assert (line["forced"] == "1") == (at == 3)
            if at == 3:
                assert line["token"] == "Deutsch"
        totals = kept
    assert {line["fate"] for line in lines} == {"kept", "pruned", "finished"}


def test_the_endings_are_those_of_the_search_and_greedys(found: BeamSearch, shipped: Checkpoint) -> None:
    lines = rows(hypotheses_csv(found, shipped.tokenizer))
    sentences = [list(group) for _, group in groupby(lines, key=lambda line: (line["rank"], line["sentence"]))]
    listed = [*found.hypotheses, *[found.greedy] * (found.greedy.ids not in [each.ids for each in found.hypotheses])]
    for each, group in zip(listed, sentences, strict=True):
        assert [int(line["id"]) for line in group] == list(each.ids)
        assert [float(line["score"]) for line in group] == list(each.scores)
        assert {line["greedy"] for line in group} == {str(int(each.ids == found.greedy.ids))}
        assert {line["rank"] for line in group} == {str(found.hypotheses.index(each) + 1) if each in found.hypotheses else ""}


def test_the_draws_and_the_cut(shipped: Checkpoint, ex: Explanation) -> None:
    cut = SamplingOptions(1.2, 5, 0.9)
    draws = draw(shipped, ex, cut, seed=2, draws=3)
    lines = rows(draws_csv(draws, shipped.tokenizer))
    assert [(int(line["draw"]), int(line["id"])) for line in lines] == [(n, i) for n, each in enumerate(draws, 1) for i in each.ids]
    assert all(math.isclose(math.exp(float(line["log_prob"])), float(line["probability"]), rel_tol=1e-5) for line in lines)
    log_probs = ex.steps[1].log_probs
    lines = rows(distribution_csv(truncated(log_probs, cut), shipped.tokenizer))
    assert [int(line["id"]) for line in lines] == list(np.argsort(-log_probs, kind="stable"))
    assert math.isclose(sum(float(line["truncated"]) for line in lines), 1, rel_tol=1e-6)
    assert sum(float(line["truncated"]) > 0 for line in lines) <= 5


def test_the_lengths_and_two_neighbouring_positions(shipped: Checkpoint) -> None:
    passes = (PredictedPass((5, 6), (0.5, 0.25), (True, True)),)
    log_probs = np.log(np.array([[0.1, 0.9], [0.6, 0.4]]))
    tried = [Prediction(passes, log_probs, 0.75), Prediction(passes, log_probs, None)]
    lines = rows(lengths_csv(tried, shipped.tokenizer))
    assert [(line["tokens"], line["probability"]) for line in lines] == [("2", "0.75"), ("2", "")]
    assert float(lines[0]["mean_log_prob"]) == tried[0].passes[0].mean
    lines = rows(rivals_csv({"position_1": np.exp(log_probs[0]), "position_2": np.exp(log_probs[1])}, [1, 0], shipped.tokenizer))
    assert [float(line["position_1"]) for line in lines] == pytest.approx([0.9, 0.1])
    assert [float(line["position_2"]) for line in lines] == pytest.approx([0.4, 0.6])
