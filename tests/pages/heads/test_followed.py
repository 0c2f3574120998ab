"""What the browser is sent of every layer, head and step: the numbers of that place, as they are computed apart from the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.heads.test_page import PAGE, TEXT, shown
from tests.pages.recorded import recorded
from tests.pages.test_all_pages import ROOT, opened
from tests.payloads import unpacked
from tests.plots import plots
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.roles.rule import described, named
from viz_core.analysis.roles.table import NONE, Heads, read
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


def below(app: AppTest) -> dict[str, Any]:
    """The texts below the figure, and what stands in them in every state."""
    (part,) = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_arithmetic"]
    return unpacked(part.bytes)[1]


def tables(app: AppTest, *place: int) -> str:
    (part,) = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_tables"]
    about = unpacked(part.bytes)[1]
    at = about["at"]
    for index in place:
        at = at[index]
    return str(about["tables"][at])


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
    about, (parts,) = below(app), [part["at"] for part in below(app)["parts"]]
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
        (parts,) = [part["at"] for part in below(app)["parts"]]
        for layer, head in PLACES:
            assert parts[layer][head]["drop"] == number(float(drops["masked"][layer, head]))
            assert framed(plots(app, layer=layer, head=head)[0]) == (layer, head)
    assert "as_trained" not in below(app)["texts"]
    edited = shown(show="ablation", of="bleu", edits="heads.cross.1.4", everywhere="on")
    assert [section["name"] for section in below(edited)["sections"]] == ["says", "as_trained", "arithmetic"]
