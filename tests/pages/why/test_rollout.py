"""The table of a rollout's edges: nothing is lost between tokens and words."""

import csv

import pytest

from pages.why.rollout import edges_csv
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

STEP = 2


def test_edges_carry_all_that_flows_between_words(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    rolled, (labels, words) = rollout(ex.trace, STEP), groups(ex.source)
    assert max(map(len, words)) > 1
    edges = [*csv.DictReader(edges_csv(rolled, words, labels, ex.target.labels).decode("utf-8-sig").splitlines())]
    shares = [float(edge["share"]) for edge in edges]
    assert shares == sorted(shares, reverse=True)
    for leg in ("cross", "masked", "encoder"):
        assert sum(float(edge["share"]) for edge in edges if edge["edge"] == leg) == pytest.approx(getattr(rolled, leg).sum())
    for word, at in enumerate(words):  # what comes out of the encoder's first layer
        own = [edge for edge in edges if (edge["edge"], edge["layer"], edge["to_index"]) == ("encoder", "1", str(word + 1))]
        assert sum(float(edge["share"]) for edge in own) == pytest.approx(rolled.source[at].sum())
