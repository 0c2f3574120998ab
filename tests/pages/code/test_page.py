"""The page "The code": each of its views, whatever is dialled, typed or edited."""

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.code.calls import Call, walk
from pages.code.controls import LayeredCalls
from pages.code.walk import drawn_on
from tests.foot import ask, controls, links, press
from tests.pages.test_all_pages import HOSTILE, NAMES, address, opened, view, visited, words
from tests.plots import answered
from viz_core.analysis.cost import BASE, BIG, parameters, products
from viz_core.analysis.variants import VARIANTS
from viz_core.app.cache import cached
from viz_core.app.markup import number
from viz_core.model import Transformer
from viz_core.texts import texts

PAGE = "code/page.py"
TEXT = "Our neighbour sold his red tractor."
BEGINNINGS = ("norm_place", "initial")


def arrived(**parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    return opened(PAGE, **{"text": TEXT} | parameters)


def drawn(app: AppTest, name: str) -> list[list[str]]:
    """The rows of a table of HTML, its headings first."""
    bodies = [str(element.proto.body) for element in app.get("html")]
    (body,) = [body for body in bodies if f'aria-label="{texts("figures.hovers")[name]}"' in body]
    return [[unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in re.findall(r"<tr.*?</tr>", body)]


def highlighted(app: AppTest) -> list[str]:
    """The highlighted lines of the code beside the numbers."""
    bodies = [str(element.proto.body) for element in app.get("html")]
    (body,) = [body for body in bodies if 'class="source near"' in body]
    rows = re.findall(r'<div class="highlighted"><i>\d+</i>(.*?)</div>', re.sub("<em>.*?</em>", "", body))
    return [unescape(re.sub("<[^>]*>", "", row)).strip() for row in rows]


def calls(app: AppTest) -> list[Call]:
    found: list[Call] = cached(walk, app.session_state["_view"].checkpoint.model)
    return found


def call_of(app: AppTest) -> int:
    """The call that is shown, counted from 0."""
    return int(address(app).get("call", "10")) - 1


def click(app: AppTest, call: int | str) -> None:
    """What a click on the box of a call does: a callback sets it."""
    at = call if isinstance(call, int) else next(i for i, each in enumerate(calls(app)) if each.name == call)
    ask(app, call=at + 1)


def test_every_view_is_shown_of_models_edited_until_nothing_is_left() -> None:
    app, heads = arrived(), "heads.self.1-4.1-8~heads.masked.1-4.1-8~heads.cross.1-4.1-8"
    for show in ("walk", "cost", "variants", "untrained"):
        for edits in ("force.1.⟨/s⟩", heads, "no_causal_mask~no_padding_mask"):
            visited(app, text=TEXT, show=show, edits=edits, everywhere="on")


def test_every_kind_of_call_shows_formula_line_and_numbers() -> None:
    app = arrived(model="en-de-small", step="3", head="2")
    kinds = {call.site.axes: at for at, call in enumerate(calls(app))}
    assert len(kinds) > 5
    for at in kinds.values():
        call = calls(app)[at]
        click(app, at)
        assert not app.exception and not app.error, call.name
        assert f"$${call.site.formula}$$" in words(app)
        assert len(highlighted(app)) == len(call.lines)
        view = app.session_state["_view"]
        tensor = view.trace[call.name]
        assert "= (" + r",\ ".join(map(str, tensor.shape)) + ")" in words(app)


def test_the_rows_are_those_around_each_step_with_its_most_probable_tokens() -> None:
    app = arrived(step="4")
    click(app, "output.log_probs")
    view = app.session_state["_view"]
    ((tensors, about),) = answered(app, "corner")
    assert about["here"] and about["rows"] == view.target
    assert tensors["first"].tolist() == [max(0, min(step - 1, len(view.target) - 4)) for step in range(len(view.target))]
    first = tensors["first"][3]
    assert tensors["cells"][0, 0, 3, 3 - first, 0] == np.float32(view.current.log_probs.max())
    assert len(about["columns"]) == len(view.target) and all(len(labels) == 3 for labels in about["columns"])


def press_line(app: AppTest, call: int) -> None:
    """What the browser asks for when a line is pressed."""
    (sent,) = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_lines"]
    ask(app, call=json.loads(sent.json)[0]["calls"][str(call)][view(app).layer])


def ways(app: AppTest) -> dict[str, tuple[int, str]]:
    """The lines that lead somewhere: number → call and shape."""
    body = next(str(e.proto.body) for e in app.get("html") if 'class="source near"' in str(e.proto.body))
    found = re.findall(r'<i>(\d+)</i>[^<]*<span role="link" tabindex="0" data-call="(\d+)".*?<em>→ (.*?)</em></span></div>', body)
    return {number: (int(call), shape) for number, call, shape in found}


def test_back_and_forth_through_the_list_and_from_a_line_to_its_formula() -> None:
    app = arrived(call="9")  # scores
    assert highlighted(app) == ['scores = tap("scores", q @ k.mT)  # (B, h, Tq, Tk)']
    press(app, "code_after")
    assert call_of(app) == 9
    assert highlighted(app)[0].startswith("scaled = ")
    press(app, "code_before")
    trace = app.session_state["_view"].trace
    found = list(ways(app).values())
    assert [calls(app)[call].name.rpartition(".")[2] for call, _ in found] == [
        "scores", "scaled", "mask", "masked", "weights", "mix",
    ]  # fmt: skip
    assert [shape for _, shape in found] == [str(tuple(trace[calls(app)[call].name].shape)) for call, _ in found]
    press_line(app, found[4][0])
    assert calls(app)[call_of(app)].name == "encoder.0.self_attn.weights"
    assert highlighted(app)[0].startswith("weights = ")
    assert address(app)["call"] == "13"
    assert links(ask(app, call=1))["code_before"].disabled
    assert links(ask(app, call=len(calls(app))))["code_after"].disabled


def test_a_line_of_three_calls_leads_to_the_next_of_them() -> None:
    app = arrived(call="6")  # q; k and v stand on the same line
    for name in ("k", "v", "q"):
        (line,) = [way for way in ways(app).values() if calls(app)[way[0]].name.endswith(f"self_attn.{name}")]
        press_line(app, line[0])
        assert calls(app)[call_of(app)].name == f"encoder.0.self_attn.{name}"


def test_every_layer_has_its_own_map_and_numbers() -> None:
    app = arrived(call="13", head="5")  # encoder.0.self_attn.weights
    view, ((_, shown),) = app.session_state["_view"], answered(app, "call_map")
    ((tensors, about),) = answered(app, "corner")
    assert about["heads"] == 8 and not about["here"] and not about["mask"]
    for layer in range(view.config.n_layers):
        here = shown["layers"][layer]
        assert shown["parts"][here["part"]]["name"] == f"enc {layer + 1}"
        boxes = [box for row in here["rows"] for box in row["calls"]]
        assert [box["name"] for box in boxes if box["at"] == here["at"]] == ["softmax"]
        assert calls(app)[boxes[-1]["at"]].name == f"encoder.{layer}.resid_ffn"
        weights = view.trace[f"encoder.{layer}.self_attn.weights"][0]
        assert (tensors["cells"][layer, 4, 0] == weights[4, :4, :4].numpy()).all()
        assert f"from {number(float(weights.min()))} to {number(float(weights.max()))}" in about["ranges"][layer]


def test_the_layer_of_a_click_is_chosen_and_the_address_has_the_call_of_the_first() -> None:
    app = arrived(call="13")
    for name, layer, shown in (
        ("decoder.1.ffn.hidden", 2, "decoder.0.ffn.hidden"),
        ("output.log_probs", 2, "output.log_probs"),
        ("encoder.3.self_attn.q", 4, "encoder.0.self_attn.q"),
    ):
        click(app, name)
        assert view(app).layer == layer - 1 and calls(app)[call_of(app)].name == shown
        assert address(app)["call"] == str(call_of(app) + 1)
    press(app, "code_after")
    assert view(app).layer == 3 and highlighted(app)[0].startswith("k, v = ")


def test_a_link_to_a_call_of_another_layer_shows_that_layer() -> None:
    app = arrived()
    for asked, layer in (({"call": "61"}, 4), ({"call": "61", "layer": "2"}, 2), ({"call": "13"}, 1)):
        visited(app, text=TEXT, **asked)
        assert view(app).layer == layer - 1 and not app.warning
        assert address(app)["call"] == "13"
        assert address(app).get("layer", "1") == str(layer)


def test_a_layer_that_one_stack_alone_has_stays_on_the_map() -> None:
    names = [f"encoder.{layer}.ffn.out" for layer in range(3)] + ["decoder.0.ffn.out", "decoder.1.ffn.out"]
    layered = LayeredCalls(names, layers=2)
    assert [layered.at(call, 1) for call in range(5)] == [1, 1, 2, 4, 4]
    assert [layered.layer(call) for call in range(5)] == [0, 1, None, 0, 1]


def test_on_the_stage_only_lines_near_the_highlighted_ones_are_drawn() -> None:
    def lines(app: AppTest) -> list[int]:
        body = next(str(e.proto.body) for e in app.get("html") if 'class="source near"' in str(e.proto.body))
        return [int(number) for number in re.findall(r"<i>(\d+)</i>", body)]

    usual, stage = lines(arrived(call="13")), lines(arrived(call="13", lecture="on"))
    (at,) = calls(arrived(call="13"))[12].lines
    assert usual[0] == stage[0] and set(stage) < set(usual)
    assert stage[1:] == [number for number in usual[1:] if abs(number - at) <= 2]


def test_each_call_has_a_page_that_draws_it_with_controls_that_exist(model: Transformer) -> None:
    for call in walk(model):
        page, own = drawn_on(call)
        assert page in NAMES, call.name
        for name, value in own.items():
            assert name in texts(page) and value in texts(page), (call.name, name, value)


def test_see_it_as_a_figure_goes_to_that_page_at_its_layer_and_stage() -> None:
    app = arrived()
    click(app, "decoder.2.cross_attn.scores")
    press(app, "code_see")
    assert view(app).layer == 2
    assert address(app)["stage"] == "scores"
    assert app.title[0].value == texts("cross_attention")["title"]


def test_the_table_of_costs_is_the_arithmetic() -> None:
    app = arrived(show="cost", preset="base", source_length="50", target_length="20")
    rows = drawn(app, "cost")
    assert rows[-1][1] == f"{parameters(BASE):,}" == "63,082,496"
    assert rows[-1][5] == f"{products(BASE, 50, 20) / 1e9:.3g} G"
    ask(app, preset="big")
    assert drawn(app, "cost")[-1][1] == f"{parameters(BIG):,}"
    assert controls(app)["d_model"]["value"] == "1024"
    assert controls(app)["source_length"]["value"] != "50"  # another preset puts all dials back
    assert address(app)["preset"] == "big"
    ask(app, shared="no")
    assert drawn(app, "cost")[-1][1] == f"{parameters(BIG) + 2 * 37_000 * 1024:,}"


def test_no_model_is_built_for_its_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    app = arrived(show="cost")

    def never(*_: object) -> None:
        raise AssertionError("a model was built")

    monkeypatch.setattr(Transformer, "__init__", never)
    huge = {"d_model": "12288", "heads": "96", "layers": "96", "d_ff": "49152", "vocabulary": "256000", "target_length": "100000"}
    visited(app, **({"show": "cost", "text": TEXT} | huge))
    assert not app.exception
    assert int(drawn(app, "cost")[-1][1].replace(",", "")) > 4e11


def test_the_number_of_heads_must_divide_the_width() -> None:
    app = arrived(show="cost", d_model="768")
    assert all(768 % int(option) == 0 for option, _ in controls(app)["heads"]["options"])
    ask(app, heads=12)
    ask(app, d_model=512)
    assert controls(app)["heads"]["value"] == "8"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_shown_with_both_versions_of_the_code(variant: str) -> None:
    app = arrived(show="variants", variant=variant, model="en-de-small", text=HOSTILE, edits="no_padding_mask")
    assert controls(app)["variant"]["value"] == variant
    bodies = [str(element.proto.body) for element in app.get("html")]
    codes = [body for body in bodies if 'class="source near"' in body]
    assert len(codes) == 2 and all('class="highlighted"' in code for code in codes)
    for name, there in (("variant", variant != "mask_value"), ("effect", variant not in BEGINNINGS)):
        assert any(f'aria-label="{texts("figures.hovers")[name]}"' in body for body in bodies) == there


def test_what_a_variant_changes_is_reported() -> None:
    told = [text.partition("[[")[0] for text in (texts("code")["effect_none"], texts("code")["effect_other"])]
    none, other = words(arrived(show="variants")), words(arrived(show="variants", variant="no_root"))
    assert "not a single probability changes" in none and told[0] in none
    assert "a different token becomes the most probable one at step 1" in other


def test_a_row_with_every_key_masked_is_0_here_nan_with_infinity_and_uniform_with_a_number() -> None:
    ((tensors, about),) = answered(arrived(show="variants", text="Thanks", step="2"), "mask_value")
    rows = dict(zip(about["ways"], tensors["all_masked"], strict=True))
    assert rows["this code in float32"] == rows["this code in float16"] == 0
    assert np.isnan([rows["−∞ in float32"], rows["−∞ in float16"]]).all()
    assert rows["−1e9 in float32"] == pytest.approx(1 / len(about["target"]))
    assert rows["−1e4 in float16"] == pytest.approx(1 / len(about["target"]), abs=1e-3)


def test_masked_rows_are_those_of_the_pass_and_refused_in_half_precision() -> None:
    app = arrived(show="variants")
    ((tensors, about),) = answered(app, "mask_value")
    trace, of = app.session_state["_view"].trace, dict(zip(about["ways"], about["of"], strict=True))
    assert of.pop("−1e9 in float16") is None and None not in of.values()
    for layer, attention in enumerate(trace.attentions("masked")):
        for name, at in of.items():
            if name.endswith("float32"):
                assert np.allclose(tensors["weights"][at, layer], attention.weights, atol=1e-6), name


def test_a_variant_that_is_impossible_for_a_model_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    never = replace(VARIANTS["scale"], possible=lambda config: False)
    monkeypatch.setattr("pages.code.variants.VARIANTS", {**VARIANTS, "scale": never})
    assert "a division by zero" in words(arrived(show="variants", variant="scale"))


def test_a_button_leads_from_the_numbers_to_the_model_that_learns_to_copy_them() -> None:
    app = arrived(show="untrained", of="of_numbers")
    press(app, "code_copies")
    assert app.title[0].value == texts("training")["title"]
    assert address(app)["task"] == "copy" and controls(app)["show"]["value"] == "live"
