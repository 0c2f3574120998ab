"""The CSV of the page on heads: the numbers that its views show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pages.heads.downloads import flow_csv, importance_csv, norms_csv, roles_csv, weights_csv
from tests.app.test_csv_files import column, rows
from tests.pages.heads.test_page import shown
from viz_core.analysis.norm_weighted_attention import norm_weighted
from viz_core.analysis.roles import stored
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "A baker carries two umbrellas.", "Ein Bäcker.")


def test_the_measures_of_each_head_are_those_that_are_stored(shipped: Checkpoint) -> None:
    table, _ = stored.read(Path("checkpoints/en-de"), shipped)
    assert table
    heads = table.kinds["cross"]
    lines = rows(roles_csv(heads, "cross"))
    for line in lines:
        layer, head, measure = int(line["layer"]) - 1, int(line["head"]) - 1, heads.measures[line["attends_to"]]
        assert line["role"] == heads.roles[layer][head]
        assert float(line["share"]) == measure.values[layer, head] and float(line["uniform"]) == measure.uniform
    assert len({(line["layer"], line["head"]) for line in lines}) == 32


def test_the_importance_of_each_head_stands_with_its_unit() -> None:
    drops = np.array([[1.5, -0.25], [0.0, 3.0]])
    lines = rows(importance_csv(drops, "nats"))
    assert [float(line["importance_in_nats"]) for line in lines] == drops.ravel().tolist()
    assert [(line["layer"], line["head"]) for line in lines] == [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")]


def test_weights_and_norms_stand_side_by_side_where_the_mask_allows(ex: Explanation, checkpoint: Checkpoint) -> None:
    attention, norms = ex.trace.attention("masked", 0), norm_weighted(checkpoint.model, ex.trace, "masked", 0)[1]
    labels = ex.target.labels
    lines = rows(norms_csv(attention.weights[1], norms, labels, labels, attention.mask))
    assert len(lines) == attention.mask.sum()
    assert column(lines, "weight") == pytest.approx(attention.weights[1][attention.mask])
    assert column(lines, "norm") == pytest.approx(norms[attention.mask])


def test_a_map_through_the_layers_reads_back() -> None:
    lines = rows(flow_csv(np.array([[0.75, 0.25]]), ["a"], ["x", "y"]))
    assert [(line["query"], line["key"], float(line["value"])) for line in lines] == [("a", "x", 0.75), ("a", "y", 0.25)]


def test_all_weights_of_the_pass_read_back(ex: Explanation) -> None:
    lines = [line for line in rows(weights_csv(ex)) if (line["attention"], line["layer"]) == ("cross", "2")]
    assert (column(lines, "weight") == ex.trace.attention("cross", 1).weights.ravel()).all()
    assert [line["key"] for line in lines[: len(ex.source)]] == ex.source.labels


@pytest.mark.parametrize(
    ("show", "offered"),
    [
        ("roles", "Roles: cross attention, every measure of each head"),
        ("ablation", "Importance by ablation: cross attention"),
        ("norm_weighted", "Weights and norms: cross attention"),
        ("flow", "rollout, after layer 1"),
        ("neurons", "Cross attention, layer 1, head 1"),
        ("head_view", "All attention weights of this pass"),
        ("model_view", "All attention weights of this pass"),
    ],
)
def test_every_view_has_a_download(show: str, offered: str) -> None:
    assert shown(show=show).selectbox(key="_csv_heads").options == [offered]
