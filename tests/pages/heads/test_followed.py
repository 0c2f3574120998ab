"""What the browser is sent of every layer, head and step: the numbers of that place, as they are computed apart from the page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.heads.test_page import PAGE, TEXT, shown
from tests.pages.map_states import cell, said, scaled, sent, values
from tests.pages.recorded import recorded
from tests.pages.test_all_pages import ROOT, opened
from tests.payloads import unpacked
from tests.plots import plots, table_of
from viz_core.analysis.attention import column_share, norm_weighted, norm_weighted_layer
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.roles.rule import described, named
from viz_core.analysis.roles.table import NONE, Heads, read
from viz_core.analysis.rollout import decoder_rollout, encoder_rollout, mean_attention
from viz_core.app.attention import KINDS
from viz_core.app.markup import markdown, number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.figures.base import percent
from viz_core.trace import Kind

PLACES = [(0, 0), (2, 4), (3, 7)]


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def tables(app: AppTest, *place: int) -> str:
    about = sent(app, "tables")
    return table_of(about, dict(zip(about["by"], place, strict=True)))


def framed(plot: dict[str, Any]) -> tuple[float, float]:
    """Row and column of the cell with a frame."""
    (shape,) = plot["layout"]["shapes"]
    return (shape["y0"] + shape["y1"]) / 2, (shape["x0"] + shape["x1"]) / 2


def stored(kind: Kind, shipped: Checkpoint) -> Heads:
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table
    return table.kinds[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_each_head_has_its_own_role_example_and_measures(kind: Kind, shipped: Checkpoint) -> None:
    heads, app = stored(kind, shipped), shown(kind=kind)
    about, (parts,) = sent(app, "arithmetic"), [part["at"] for part in sent(app, "arithmetic")["parts"]]
    assert about["texts"].keys() == {"says", "example"}
    for layer, head in np.ndindex(len(heads.roles), len(heads.roles[0])):
        told, evidence, role = parts[layer][head], heads.evidence[layer][head], heads.roles[layer][head]
        assert told["head_says"] == markdown(described(heads, kind, layer, head, percent))
        assert (told["example"] == "example") == (evidence is not None) == (role != NONE)
        if evidence:
            assert (told["text"], told["share"]) == (markdown(evidence.text), markdown(percent(evidence.weight)))
            share = percent(float(heads.measures[role].values[layer, head]))
            row = tables(app, layer, head).split('<tr class="highlighted">')[1].split("</tr>")[0]
            assert named(kind, role) in row and share in row
        (plot,) = plots(app, layer=layer, head=head)
        assert framed(plot) == (layer, head)


def test_the_button_leads_to_the_head_that_the_browser_shows(shipped: Checkpoint) -> None:
    """Which Python learns with the click: `head` and `layer` of the session are what came along."""
    heads = stored("cross", shipped)
    without = next(place for place in np.ndindex(4, 8) if heads.evidence[place[0]][place[1]] is None)
    app = opened(PAGE, text="I love you.", layer=str(without[0] + 1), head=str(without[1] + 1))
    app.button(key="_evidence").click().run()
    assert not app.exception
    view = app.session_state["_view"]
    assert (view.explanation.source.text, view.layer, view.head) == ("I love you.", *without)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_without_each_head_is_that_of_a_pass_without_it(
    kind: Kind, shipped: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = unpacked(recorded(monkeypatch, "heads", text=TEXT, show="ablation", kind=kind).parts["arithmetic"])[1]
    (parts,) = [part["at"] for part in about["parts"]]
    ex = explain(shipped, TEXT)
    found = importance(shipped.model, ex)
    for layer, head in PLACES:
        told, without = parts[layer][head], float(found.without[kind][layer, head].sum())
        assert (told["layer"], told["head"]) == (str(layer + 1), str(head + 1))
        assert told["without"] == number(without)
        assert told["drop"] == number(float(found.log_probs.sum()) - without)
        assert told["head_says"] == markdown(described(stored(kind, shipped), kind, layer, head, percent))
    assert about["shared"]["whole"] == number(float(found.log_probs.sum()))


def test_what_is_lost_over_many_sentences_is_what_was_measured(shipped: Checkpoint) -> None:
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table and table.importance and table.importance.bleu
    for of, drops in (("many", table.importance.log_prob), ("bleu", table.importance.bleu.drops)):
        app = shown(show="ablation", kind="masked", of=of)
        (parts,) = [part["at"] for part in sent(app, "arithmetic")["parts"]]
        for layer, head in PLACES:
            assert parts[layer][head]["drop"] == number(float(drops["masked"][layer, head]))
            assert framed(plots(app, layer=layer, head=head)[0]) == (layer, head)
    assert "as_trained" not in sent(app, "arithmetic")["texts"]
    edited = shown(show="ablation", of="bleu", edits="heads.cross.1.4", everywhere="on")
    assert [section["name"] for section in sent(edited, "arithmetic")["sections"]] == ["says", "as_trained", "arithmetic"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_norms_are_those_of_each_layer_head_and_step(kind: Kind, shipped: Checkpoint) -> None:
    ex, app = explain(shipped, TEXT), shown(show="norm_weighted", kind=kind)
    for (layer, head), step in zip(PLACES, (0, 5, 2), strict=True):
        at = {"layer": layer, "head": head, "step": step}
        weights, mask = ex.trace.attention(kind, layer).weights[head], ex.trace.attention(kind, layer).mask
        lengths = norm_weighted(shipped.model, ex.trace, kind, layer)[head]
        for drawn, wanted in zip(scaled(app, **at), (weights, lengths), strict=True):
            assert drawn == pytest.approx(np.where(mask, wanted, np.nan), nan_ok=True)
        row = 0 if kind == "self" else step
        key, longest = int(weights[row].argmax()), int(lengths[row].argmax())
        told, special = values(app, **at), 0 if kind == "masked" else len(ex.source) - 1
        assert cell(app, **at) == (row, key)
        assert (told["key"], told["by_norm"]) == tuple(markdown(ex.sides(kind)[1].labels[each]) for each in (key, longest))
        assert (told["weight"], told["moved"]) == (number(float(weights[row, key])), number(float(lengths[row, key])))
        assert told["norm_share"] == markdown(percent(column_share(lengths, special)))
        assert ("the two measures disagree" in said(app, **at)) == (key != longest)


def test_all_heads_of_each_layer_are_added(shipped: Checkpoint) -> None:
    ex, app = explain(shipped, TEXT), shown(show="norm_weighted", which="all_heads", layer="2", head="5")
    for layer, step in ((0, 3), (3, 7)):
        weights = ex.trace.attention("cross", layer).weights.mean(0)
        together = norm_weighted_layer(shipped.model, ex.trace, "cross", layer)
        each = norm_weighted(shipped.model, ex.trace, "cross", layer)[:, step, int(weights[step].argmax())]
        told = values(app, layer=layer, step=step)
        assert scaled(app, layer=layer)[1] == pytest.approx(together)
        assert (told["moved"], told["sum"]) == (
            number(float(together[step, int(weights[step].argmax())])),
            number(float(each.sum())),
        )


@pytest.mark.parametrize("by", ["rollout", "raw"])
@pytest.mark.parametrize("kind", ["cross", "self"])
def test_what_comes_through_the_layers_is_that_of_each(kind: Kind, by: str, shipped: Checkpoint) -> None:
    trace, app = explain(shipped, TEXT).trace, shown(show="flow", kind=kind, by=by, layer="2", step="3")
    rolled = decoder_rollout if kind == "cross" else encoder_rollout
    wanted = rolled(trace) if by == "rollout" else mean_attention(trace, kind)
    for layer, step in ((0, 0), (3, 6)):
        (drawn,) = scaled(app, layer=layer)
        row, column = cell(app, layer=layer, step=step)
        assert drawn == pytest.approx(wanted[layer])
        assert (row, column) == (step if kind == "cross" else 0, int(wanted[layer][row].argmax()))
        assert rf"\mathbf{{{number(float(wanted[layer][row, column]))}}}" in said(app, layer=layer, step=step)


def test_a_picked_cell_is_that_of_its_step_in_all_layers_and_heads(shipped: Checkpoint) -> None:
    app = shown(show="norm_weighted", step="3", cell="2-3")
    trace = explain(shipped, TEXT).trace
    for layer, head in PLACES:
        assert cell(app, layer=layer, head=head) == (1, 2)
        weight = trace.attention("cross", layer).weights[head, 1, 2]
        assert values(app, layer=layer, head=head)["weight"] == number(float(weight))
    elsewhere = values(app, step=4)
    assert cell(app, step=4)[0] == 4 and elsewhere["weight"] == number(float(trace.attention("cross", 0).weights[0, 4].max()))
    encoder = shown(show="flow", kind="self", cell="2-3")
    assert {cell(encoder, step=step, layer=layer) for step in (0, 5) for layer in (0, 3)} == {(1, 2)}


def test_of_a_sentence_as_long_as_a_shipped_model_reads_the_numbers_are_exact(shipped: Checkpoint) -> None:
    app = shown(show="norm_weighted", text="The old man reads a book and the young woman sleeps on the sofa " * 9)
    ex = app.session_state["_view"].explanation
    assert len(ex.source) > 100
    for layer, head in PLACES:
        weights = ex.trace.attention("cross", layer).weights[head]
        lengths = norm_weighted(shipped.model, ex.trace, "cross", layer)[head]
        assert scaled(app, layer=layer, head=head) == [pytest.approx(weights), pytest.approx(lengths)]
        assert values(app, layer=layer, head=head)["weight"] == number(float(weights[0].max()))
