"""The page "The code": each of its views, whatever is dialled, typed or edited."""

import json
import re
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


def test_every_kind_of_call_shows_formula_line_and_numbers() -> None:
    app = arrived(model="en-de-tiny", step="3", head="2")
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


def test_a_layer_that_one_stack_alone_has_stays_on_the_map() -> None:
    names = [f"encoder.{layer}.ffn.out" for layer in range(3)] + ["decoder.0.ffn.out", "decoder.1.ffn.out"]
    layered = LayeredCalls(names, layers=2)
    assert [layered.at(call, 1) for call in range(5)] == [1, 1, 2, 4, 4]
    assert [layered.layer(call) for call in range(5)] == [0, 1, None, 0, 1]


def test_each_call_has_a_page_that_draws_it_with_controls_that_exist(model: Transformer) -> None:
    for call in walk(model):
        page, own = drawn_on(call)
        assert page in NAMES, call.name
        for name, value in own.items():
            assert name in texts(page) and value in texts(page), (call.name, name, value)


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
    visited(app, show="cost", d_model="768")
    assert all(768 % int(option) == 0 for option, _ in controls(app)["heads"]["options"])
    ask(app, heads=12)
    ask(app, d_model=512)
    assert controls(app)["heads"]["value"] == "8"


def test_every_variant_is_shown_with_both_versions_of_the_code() -> None:
    app = arrived(show="variants", model="en-de-tiny")
    for variant in VARIANTS:
        visited(app, show="variants", variant=variant, model="en-de-tiny", text=HOSTILE, edits="no_padding_mask")
        bodies = [str(element.proto.body) for element in app.get("html")]
        codes = [body for body in bodies if 'class="source near"' in body]
        assert len(codes) == 2 and all('class="highlighted"' in code for code in codes), variant
        for name, there in (("variant", variant != "mask_value"), ("effect", variant not in BEGINNINGS)):
            assert any(f'aria-label="{texts("figures.hovers")[name]}"' in body for body in bodies) == there, variant


def test_a_row_with_every_key_masked_is_0_here_nan_with_infinity_and_uniform_with_a_number() -> None:
    ((tensors, about),) = answered(arrived(show="variants", text="Thanks", step="2"), "mask_value")
    rows = dict(zip(about["ways"], tensors["all_masked"], strict=True))
    assert rows["this code in float32"] == rows["this code in float16"] == 0
    assert np.isnan([rows["−∞ in float32"], rows["−∞ in float16"]]).all()
    assert rows["−1e9 in float32"] == pytest.approx(1 / len(about["target"]))
    assert rows["−1e4 in float16"] == pytest.approx(1 / len(about["target"]), abs=1e-3)
