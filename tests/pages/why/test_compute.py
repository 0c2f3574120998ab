"""The ways of a rollout: nothing is lost between tokens and words, and what is drawn hangs together."""

from __future__ import annotations

import pytest

from pages.why.compute import connected, rollout_edges
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

STEP = 2


def test_ways_carry_all_that_flows_between_words(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    found, words = rollout(ex.trace, STEP), groups(ex.source)[1]
    assert max(map(len, words)) > 1
    ways = rollout_edges(found, words)
    assert [way.share for way in ways] == sorted((way.share for way in ways), reverse=True)
    for leg in ("cross", "masked", "encoder"):
        assert sum(way.share for way in ways if way.leg == leg) == pytest.approx(getattr(found, leg).sum())
    for word, at in enumerate(words):  # what comes out of the encoder's first layer
        arrived = sum(way.share for way in ways if (way.leg, way.layer, way.end) == ("encoder", 0, word))
        assert arrived == pytest.approx(found.source[at].sum())


def test_every_way_but_those_from_the_top_hangs_on_another(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    layers = ex.trace.config.n_layers
    ways = rollout_edges(rollout(ex.trace, STEP), groups(ex.source)[1])
    assert len(connected(ways, STEP, layers)) == len(ways)
    (cut,) = [way for way in ways if (way.leg, way.layer, way.end) == ("cross", layers - 1, 1)]
    others = [way for way in ways if way.leg != "cross"]
    kept = connected([*others, cut], STEP, layers)
    assert cut in kept
    assert {way.start for way in kept if (way.leg, way.layer) == ("encoder", layers - 1)} == {1}
    assert not connected(ways, STEP + 1, layers)
