"""The edges of a rollout: nothing is lost between tokens and words, and what is drawn is connected."""

import pytest

from pages.why.compute import connected, drawn_rollout, edge_shares, rollout_edges
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

STEP = 2


def test_edges_carry_all_that_flows_between_words(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    found, words = rollout(ex.trace, STEP), groups(ex.source)[1]
    assert max(map(len, words)) > 1
    edges = rollout_edges(edge_shares(found, words))
    assert [edge.share for edge in edges] == sorted((edge.share for edge in edges), reverse=True)
    for leg in ("cross", "masked", "encoder"):
        assert sum(edge.share for edge in edges if edge.leg == leg) == pytest.approx(getattr(found, leg).sum())
    for word, at in enumerate(words):  # what comes out of the encoder's first layer
        arrived = sum(edge.share for edge in edges if (edge.leg, edge.layer, edge.end) == ("encoder", 0, word))
        assert arrived == pytest.approx(found.source[at].sum())


def test_every_edge_is_connected_with_the_step_at_the_top(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    layers = ex.trace.config.n_layers
    edges = rollout_edges(edge_shares(rollout(ex.trace, STEP), groups(ex.source)[1]))
    assert len(connected(edges, STEP, layers)) == len(edges)
    (cut,) = [edge for edge in edges if (edge.leg, edge.layer, edge.end) == ("cross", layers - 1, 1)]
    others = [edge for edge in edges if edge.leg != "cross"]
    kept = connected([*others, cut], STEP, layers)
    assert cut in kept
    assert {edge.start for edge in kept if (edge.leg, edge.layer) == ("encoder", layers - 1)} == {1}
    assert not connected(edges, STEP + 1, layers)


def test_what_is_drawn_is_the_strongest_and_what_is_not_is_counted(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, "The tall nurse hides two sunflowers.", "Die große Pflegerin versteckt zwei Regenschirme.")
    edges = rollout_edges(edge_shares(rollout(ex.trace, STEP), groups(ex.source)[1]))
    drawn = drawn_rollout(ex, STEP, 20)
    assert list(drawn.edges) == connected(edges[:20], STEP, ex.trace.config.n_layers)
    assert (drawn.count, drawn.least) == (len(edges), edges[19].share)
    whole = sum(edge.share for edge in edges)
    assert drawn.left == pytest.approx((whole - sum(edge.share for edge in drawn.edges)) / whole)
