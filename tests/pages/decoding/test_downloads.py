"""The CSV of a search and of draws: its lines add up."""

import math
from itertools import groupby

import pytest

from pages.decoding.beam import candidates_csv
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
