"""The greatest flow against networkx."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from viz_core.analysis.rollout import Network

networkx: Any = importlib.import_module("networkx")


@pytest.mark.parametrize("seed", range(6))
def test_it_is_what_networkx_finds(seed: int) -> None:
    """Random networks with ways back, so that a way once filled must be taken back."""
    random = np.random.default_rng(seed)
    nodes = 14
    capacities = random.random((nodes, nodes)) * (random.random((nodes, nodes)) < 0.3) * (1 - np.eye(nodes))
    ours, theirs = Network(nodes), networkx.DiGraph()
    theirs.add_nodes_from(range(nodes))
    for start, end in np.argwhere(capacities):
        ours.add(int(start), int(end), float(capacities[start, end]))
        theirs.add_edge(int(start), int(end), capacity=float(capacities[start, end]))
    for sink in range(1, nodes):
        assert ours.greatest_flow(0, sink) == pytest.approx(networkx.maximum_flow_value(theirs, 0, sink), abs=1e-7)


def test_a_way_once_filled_is_taken_back() -> None:
    """The shortest way 0 → 1 → 4 → 5 is in the way of two longer ones."""
    network = Network(6)
    for start, end in ((0, 1), (1, 4), (4, 5), (0, 2), (2, 3), (3, 4), (1, 5)):
        network.add(start, end, 1.0)
    assert network.greatest_flow(0, 5) == 2.0
    assert network.greatest_flow(0, 5) == 2.0  # and the network stays as it was


def test_where_no_way_leads_nothing_flows() -> None:
    network = Network(3)
    network.add(1, 0, 1.0)
    network.add(1, 2, 1.0)
    assert network.greatest_flow(0, 2) == 0.0
