"""The page "The code": each of its views, whatever is dialled, typed or edited."""

from functools import partial

import torch
from streamlit.testing.v1 import AppTest

from pages.code.calls import Call, walk
from pages.code.compute import untrained
from pages.code.controls import LayeredCalls
from pages.code.walk import drawn_on
from tests.foot import ask, controls, parts
from tests.pages.test_all_pages import HOSTILE, NAMES, address, opened, visited, words
from tests.plots import answered, unpacked
from viz_core.analysis.cost import BASE, BIG, parameters, products
from viz_core.analysis.variants import VARIANTS
from viz_core.app import answers
from viz_core.app.cache import cached
from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.texts import texts

PAGE = "code/page.py"
TEXT = "Our neighbour sold his red tractor."
BEGINNINGS = ("norm_place", "initial")
arrived = partial(opened, PAGE, text=TEXT)


def calls(app: AppTest) -> list[Call]:
    found: list[Call] = cached(walk, app.session_state["_view"].checkpoint.model)
    return found


def test_every_kind_of_call_shows_formula_line_and_numbers() -> None:
    app = arrived(model="en-de-tiny", step="3", head="2")
    kinds = {call.site.axes: at for at, call in enumerate(calls(app))}
    assert len(kinds) > 5
    for at in kinds.values():
        call = calls(app)[at]
        ask(app, call=at + 1)  # what a click on its box does
        assert not app.error, call.name
        assert f"$${call.site.formula}$$" in words(app)
        (lines,) = parts(app, "lines")
        assert lines["html"].count('class="highlighted"') == len(call.lines)
        _, about = unpacked(answers.answer_at(parts(app, "corner")[0]["address"]))
        assert about["shapes"][at] == list(app.session_state["_view"].trace[call.name].shape)


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


def test_the_dials_give_the_costs_and_go_back_with_another_preset() -> None:
    app = arrived(show="cost", preset="base", source_length="50", target_length="20")
    costs = answered(app, "cost")[0][0]["costs"]
    assert costs[:, 0].sum() == parameters(BASE) == 63_082_496 and costs[:, 1:].sum() == products(BASE, 50, 20)
    ask(app, preset="big")
    assert controls(app)["d_model"]["value"] == "1024"
    assert controls(app)["source_length"]["value"] != "50"
    assert address(app)["preset"] == "big"
    ask(app, shared="no")
    assert answered(app, "cost")[0][0]["costs"][:, 0].sum() == parameters(BIG) + 2 * 37_000 * 1024
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


def test_a_seed_gives_one_model_and_leaves_other_random_numbers_alone(checkpoint: Checkpoint) -> None:
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    first, again, other = (untrained(checkpoint, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(3), expected)
    name = "encoder.layers.0.self_attn.w_q.weight"
    one, same, different, trained = (each.model.get_parameter(name) for each in (first, again, other, checkpoint))
    assert torch.equal(one, same)
    assert not torch.equal(one, different) and not torch.equal(one, trained)
    assert one.shape == trained.shape and first.config == checkpoint.config
    assert len({first.digest, other.digest, checkpoint.digest}) == 3
    assert first.tokenizer is checkpoint.tokenizer
