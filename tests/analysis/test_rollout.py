"""Rollout and flow against a second way of computing them, and with the shipped model."""

import importlib
from typing import Any

import numpy as np
import pytest

from tests.conftest import Traced
from viz_core.analysis.rollout import Network, encoder_flow, encoder_rollout, rollout
from viz_core.trace import Kind, Trace

networkx: Any = importlib.import_module("networkx")
STEP = 3


def mean(trace: Trace, kind: Kind, layer: int) -> Any:
    stack, block = {"self": ("encoder", "self_attn"), "masked": ("decoder", "self_attn"), "cross": ("decoder", "cross_attn")}[kind]
    return trace[f"{stack}.{layer}.{block}.weights"][0].double().mean(0).numpy()


def test_rollout_of_the_encoder_is_the_product_of_its_layers(traced: Traced) -> None:
    trace = traced[1]
    first, second = (0.5 * mean(trace, "self", layer) + 0.5 * np.eye(4) for layer in (0, 1))
    found = encoder_rollout(trace)
    assert found[0] == pytest.approx(first)
    assert found[1] == pytest.approx(second @ first)
    assert found.sum(-1) == pytest.approx(1, abs=1e-6)


def test_rollout_of_a_step_is_that_of_the_layers_from_below(traced: Traced) -> None:
    """Each position's shares of source and target, carried upwards for all steps at once."""
    trace = traced[1]
    memory = encoder_rollout(trace)[-1]
    source, target = np.zeros((5, 4)), np.eye(5)
    for layer in range(trace.config.n_layers):
        back = 0.5 * mean(trace, "masked", layer) + 0.5 * np.eye(5)
        source, target = back @ source, back @ target
        source, target = 0.5 * source + 0.5 * mean(trace, "cross", layer) @ memory, 0.5 * target
    for step in range(5):
        found = rollout(trace, step)
        assert found.source == pytest.approx(source[step])
        assert found.target == pytest.approx(target[step])
        assert found.source.sum() == pytest.approx(1 - 0.5**trace.config.n_layers, abs=1e-6)
        assert not found.target[step + 1 :].any()


def test_what_comes_to_a_position_goes_on_from_it(traced: Traced) -> None:
    """So that the edges can be drawn as streams."""
    found = rollout(traced[1], STEP)
    assert found.cross[-1].sum() + found.masked[-1].sum() == pytest.approx(1, abs=1e-6)
    assert found.masked[1].sum(0) == pytest.approx(found.masked[0].sum(1) + found.cross[0].sum(1), abs=1e-6)
    assert found.cross.sum((0, 1)) == pytest.approx(found.encoder[-1].sum(1), abs=1e-6)
    assert found.encoder[1].sum(0) == pytest.approx(found.encoder[0].sum(1), abs=1e-6)
    assert found.encoder[0].sum(0) == pytest.approx(found.source)


def test_flow_is_that_of_networkx(traced: Traced) -> None:
    trace = traced[1]
    graph = networkx.DiGraph()
    for layer in range(trace.config.n_layers):
        for i in range(4):
            for j in range(4):
                share = 0.5 * mean(trace, "self", layer)[i, j] + 0.5 * (i == j)
                graph.add_edge(("source", layer + 1, i), ("source", layer, j), capacity=share)
    for layers in (1, 2):
        inside = [[networkx.maximum_flow_value(graph, ("source", layers, i), ("source", 0, j)) for j in range(4)] for i in range(4)]
        assert encoder_flow(trace, layers) == pytest.approx(np.array(inside), abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
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
