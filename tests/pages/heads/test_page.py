"""The page Heads: it says what was measured, its evidence is a click away, and what is missing can be measured there."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.heads import measured
from pages.heads.attention_flow import MOST_TOKENS
from tests.foot import ask, press
from tests.pages.map_states import said, scaled
from tests.pages.test_all_pages import address, opened, view, visited, words
from tests.pages.why.test_page import CASES, unknown
from tests.plots import addresses, answered
from viz_core import checkpoint as checkpoints
from viz_core.analysis.roles.table import read
from viz_core.analysis.rollout import encoder_flow, flow_bound, mean_attention, with_residual
from viz_core.app import chosen, models
from viz_core.app.cache import get_explanation
from viz_core.app.markup import number
from viz_core.texts import texts

PAGE = "heads/page.py"
TEXT = "The cat is sleeping on the sofa."


def shown(**parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    return opened(PAGE, **parameters)


def test_the_evidence_of_a_role_is_a_click_away() -> None:
    checkpoint = checkpoints.load(Path("checkpoints/en-de"))
    table, _ = read(Path("checkpoints/en-de"), checkpoint)
    assert table
    evidence = table.kinds["cross"].evidence[2][2]
    app = opened(PAGE, layer="3", head="3")
    press(app, "evidence")
    assert not app.exception
    view = app.session_state["_view"]
    assert evidence and (view.explanation.source.text, view.layer, view.head) == (evidence.text, 2, 2)
    weights = view.trace.attention("cross", 2).weights[2]
    assert address(app)["cell"] == f"{evidence.query + 1}-{evidence.key + 1}"
    assert weights[evidence.query, evidence.key] == pytest.approx(evidence.weight, abs=1e-4)


def test_what_was_not_measured_can_be_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "get_heads", lambda checkpoint: (None, ()))
    monkeypatch.setattr(
        measured, "sentences", lambda language: ["I love you.", "Where is the train station?", "The old man reads a book."]
    )
    app = opened(PAGE)
    assert "python -m viz_core heads en-de" in words(app)
    app.button(key="_measure").click().run()
    assert not app.exception
    assert [about["count"] for _, about in answered(app, "head_roles")] == [3]


def test_a_language_without_sentences_of_ours_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "get_heads", lambda checkpoint: (None, ()))
    monkeypatch.setattr(measured, "sentences", lambda language: [])
    assert "--sentences FILE" in words(opened(PAGE))


def test_the_sentence_to_try_shows_a_large_weight_with_a_small_norm() -> None:
    app = shown()
    at = next(i for i, entry in enumerate(texts("heads")["try"]) if "small norm" in entry["label"])
    press(app, f"try_heads_{at}")
    view = app.session_state["_view"]
    weights, lengths = (scaled(app)[side][view.step] for side in (0, 1))
    assert view.source[int(weights.argmax())] == "⟨/s⟩" and weights.max() > 0.9
    assert lengths[int(weights.argmax())] < np.nanmax(scaled(app)[1]) / 4


def test_an_ablated_head_contributes_nothing_and_the_page_says_so() -> None:
    told = texts("heads")["taken_out"]
    everywhere = {"edits": "heads.cross.1.4", "everywhere": "on", "show": "norm_weighted"}
    app = shown(**everywhere)
    assert told in said(app, head=3)
    assert told not in said(app, head=2)
    assert told in said(shown(**everywhere, which="all_heads"), head=2)


def test_attention_flow_is_drawn_within_the_encoder_and_said_to_be_none_through_the_decoder() -> None:
    app = shown(show="flow", kind="self", by="max_flow", layer="2", cell="2-3")
    trace = app.session_state["_view"].trace
    for layer in range(4):
        assert scaled(app, layer=layer) == [pytest.approx(encoder_flow(trace, layer + 1))]
        assert rf"\mathbf{{{number(float(encoder_flow(trace, layer + 1)[1, 2]))}}}" in said(app, layer=layer)
    assert "**0** of 81 cells" in said(app)
    inside = with_residual(mean_attention(trace, "self"))
    pairs = sorted(zip(inside[1][1].tolist(), inside[0][:, 2].tolist(), strict=True), key=min, reverse=True)
    assert rf"= \min({', '.join(map(number, pairs[0]))}) + " in said(app)
    through = shown(show="flow", kind="cross", by="max_flow")
    assert texts("heads")["flow_same"].strip() in words(through) and not addresses(through, "token_maps")
    assert all(
        f"«{label}» {number(float(most))}" in words(through) for label, most in zip(["The", "cat"], flow_bound(trace), strict=False)
    )


def test_a_sentence_too_long_for_attention_flow_says_so() -> None:
    text = "The old man reads a book and the young woman sleeps on the sofa " * 3
    app = shown(show="flow", kind="self", by="max_flow", text=text)
    assert f"up to {MOST_TOKENS} tokens" in words(app) and not addresses(app, "token_maps")
    assert addresses(shown(show="flow", kind="self", text=text), "token_maps")


def test_the_rollout_of_one_word_is_a_click_away() -> None:
    app = shown(show="flow", step="4")
    press(app, "see_why")
    assert not app.exception
    assert (app.title[0].value, address(app)["show"], view(app).step) == (texts("why")["title"], "rollout", 3)


def test_norms_and_all_layers_are_shown_of_models_edited_until_nothing_is_left() -> None:
    app = shown()
    for own in ({"show": "norm_weighted"}, {"show": "flow"}, {"show": "flow", "kind": "self", "by": "max_flow"}):
        for edits in (CASES["all heads out"]["edits"], "force.1.⟨/s⟩", "no_residual", "no_layer_norm~no_scale"):
            visited(app, text=TEXT, everywhere="on", edits=edits, **own)


@pytest.mark.parametrize("show", ["norm_weighted", "flow"])
def test_numbers_that_overflow_are_reported(show: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = get_explanation
    monkeypatch.setattr(chosen, "get_explanation", lambda *args: unknown(known(*args)))
    app = shown(show=show)
    assert texts("heads")["unknown"] in words(app) and not addresses(app, "token_maps")


def stage(app: AppTest) -> str:
    """Whose stages the browser goes through."""
    (player,) = (each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_player")
    return str(json.loads(player.json)[0]["limits"]["stages"])


def test_the_neuron_view_is_on_the_stage_by_its_name_alone() -> None:
    app = shown(show="neurons", kind="masked")
    assert app.session_state["_view_options"].form == "neurons" and stage(app) == "masked"
    assert address(app) == {"show": "neurons", "kind": "masked"} and not app.warning
    as_matrix = shown(show="neurons", form="matrix")
    assert address(as_matrix) == {"show": "neurons", "form": "matrix"}
    elsewhere = shown(show="roles")
    assert not stage(elsewhere) and address(elsewhere) == {}


def test_what_the_stage_shows_does_not_take_the_address_from_the_view() -> None:
    app = shown(show="neurons")
    ask(app, cell="2-3")
    assert address(app) == {"show": "neurons", "cell": "2-3"}
    ask(app, kind="self")  # its rows and columns are others
    assert "cell" not in address(app)


def test_a_cell_of_a_link_is_the_nearest_one_and_goes_with_its_map() -> None:
    app = shown(show="norm_weighted", cell="2-99")
    assert address(app)["cell"] == f"2-{len(app.session_state['_view'].source)}" and app.warning
    ask(app, which="all_heads")
    assert "cell" not in address(app)
