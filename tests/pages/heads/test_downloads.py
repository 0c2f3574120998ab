"""The CSV of the page on heads: the numbers that its views show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pages.heads.downloads import roles_csv, weights_csv
from tests.app.test_csv_files import column, rows
from tests.foot import downloads_open
from tests.pages.heads.test_page import TEXT, shown
from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.analysis.roles.table import read
from viz_core.analysis.rollout import flow_bound
from viz_core.app import models
from viz_core.app.cache import get_explanation
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "A baker carries two umbrellas.", "Ein Bäcker.")


def test_the_measures_of_each_head_are_those_that_are_stored(shipped: Checkpoint) -> None:
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table
    heads = table.kinds["cross"]
    lines = rows(roles_csv(heads, "cross"))
    for line in lines:
        layer, head, measure = int(line["layer"]) - 1, int(line["head"]) - 1, heads.measures[line["attends_to"]]
        assert line["role"] == heads.roles[layer][head]
        assert float(line["share"]) == measure.values[layer, head] and float(line["uniform"]) == measure.uniform
    assert len({(line["layer"], line["head"]) for line in lines}) == 32


def test_the_importance_of_each_head_has_its_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "heads", text=TEXT, show="ablation")
    assert view.column("ablation", "importance_in_nats") == pytest.approx(view.figures["ablation"].data[0].customdata)
    assert [(line["layer"], line["head"]) for line in view.tables["ablation"][7:9]] == [("1", "8"), ("2", "1")]


def test_weights_and_norms_are_side_by_side_where_the_mask_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "heads", text=TEXT, show="norm_weighted", kind="masked")
    numbers = unpacked(view.parts["token_maps"])[0]
    for drawn, name in ((numbers["weights"][0, 0], "weight"), (numbers["norms"][0, 0], "norm")):
        assert np.isnan(drawn).any() and view.column("norms", name) == pytest.approx(drawn[~np.isnan(drawn)])


def test_a_map_through_the_layers_reads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "heads", text=TEXT, show="flow")
    assert view.column("flow", "value") == pytest.approx(unpacked(view.parts["token_maps"])[0]["values"][0].ravel())


def test_attention_flow_to_the_source_has_a_number_for_each_source_token(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "heads", text=TEXT, show="flow", kind="cross", by="max_flow")
    assert view.labels == ["attention flow, after layer 4"]
    checkpoint = models.get_checkpoint("en-de")
    ex = get_explanation(checkpoint, TEXT, "")
    assert view.column("flow", "value") == pytest.approx(flow_bound(ex.trace))
    assert [line["key"] for line in view.tables["flow"]] == ex.source.labels


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
    assert downloads_open(shown(show=show), "heads").selectbox(key="_csv_heads").options == [offered]
