"""Edits as values: in a link and back, in words, and what of them a model can do."""

import dataclasses
import itertools
import random
from typing import Any

import pytest
import torch

from tests.edit_examples import EXAMPLES, LINKS
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.edits import NONE, Edits, Head, Layer, Sublayer, describe, heads_out, site_edits
from viz_core.errors import ConfigError
from viz_core.explain import explain, traced_pass
from viz_core.trace import Kind

CONFIG = ModelConfig(source_vocab=8000, target_vocab=8000)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_link_is_short_counts_from_1_and_comes_back(name: str) -> None:
    link = EXAMPLES[name].link()
    assert link == LINKS.get(name, name)
    assert Edits.from_link(link) == (EXAMPLES[name], [])


def test_any_heads_come_back() -> None:
    dice = random.Random(3)
    every = [Head(kind, layer, head) for kind in ("self", "masked", "cross") for layer in range(6) for head in range(12)]
    for _ in range(30):
        edits = Edits(heads=frozenset(dice.sample(every, dice.randint(1, 60))))
        assert Edits.from_link(edits.link()) == (edits, [])


@pytest.mark.parametrize(
    "typed",
    [
        "~",
        "~a~no_scale",
        "1.2",
        "</script>",
        "a b",
        "⟨/s⟩",
    ],
)
def test_typed_words_come_back_as_typed(typed: str) -> None:
    edits = Edits(force={0: typed, 11: typed}, swap={3: typed}, no_residual=True)
    assert Edits.from_link(edits.link()) == (edits, [])


@pytest.mark.parametrize(
    "entry",
    [
        "no_such", "no_scale.1", "link", "__class__", "\ud800", ".", "\0", "uniform.self_cross",
        "heads", "heads.self.1", "heads.self.1.2.3", "heads.foo.1.1", "heads.self.0.1", "heads.self.3-1.1", "heads.self.1.99",
        "heads.self.1-999999999.1", "heads.self.1.٣", "heads.self.-1.1", "layers.self.1", "sublayers.encoder.1.self",
        "temperature", "temperature.nan", "temperature.inf", "temperature.0", "temperature.1e9", "temperature.x",
        "force.3", "force.0.x", "force.1.", "force.1. ", "force.x.y", "force.999999.x", "force.1." + "x" * 61, "swap.1.\ud800",
    ],
)  # fmt: skip
def test_what_a_link_cannot_mean_is_named_and_the_rest_is_kept(entry: str) -> None:
    edits, wrong = Edits.from_link(f"no_scale~{entry}~no_residual")
    assert edits == Edits(no_scale=True, no_residual=True)
    assert wrong == [entry[:40].encode(errors="replace").decode()]


def test_a_model_does_what_it_can_and_the_rest_is_named() -> None:
    edits = Edits.from_link("heads.self.1_9.8-9~layers.encoder.4-5~sublayers.encoder.1.cross_attn~no_scale")[0]
    has, lacks = edits.fit(CONFIG)
    assert has == Edits(heads={Head("self", 0, 7)}, layers={Layer("encoder", 3)}, no_scale=True)
    assert lacks.link() == "heads.self.1.9~heads.self.9.8-9~layers.encoder.5~sublayers.encoder.1.cross_attn"
    assert has.fit(CONFIG) == (has, NONE)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"heads": {("crosss", 2, 4)}}, "kind 'crosss' does not exist; the nearest is 'cross'"),
        ({"heads": {("cross", -1, 4)}}, "layer is -1"),
        ({"heads": {("cross", 1)}}, r"is no Head, expected \(kind, layer, head\)"),
        ({"only": {("self", 0, True), ("slef", 0, 0)}}, "the nearest is 'self'"),
        ({"layers": {("encodr", 1)}}, "the nearest is 'encoder'"),
        ({"uniform": {"crosss"}}, "the nearest is 'cross'"),
        ({"uniform": "cross"}, "expected a set"),
        ({"temperature": 0}, r"0 is out of range, expected 0\.1 to 10"),
    ],
)
def test_what_no_model_has_is_refused_and_the_nearest_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Edits(**given)


def test_what_this_model_lacks_is_named() -> None:
    for edits, message in {
        Edits(layers={Layer("encoder", 4)}): "layer 4 does not exist, this model has layers 0 to 3",
        Edits(heads={Head("self", 0, 8)}): "head 8 does not exist, this model has heads 0 to 7",
        Edits(sublayers={Sublayer("encoder", 0, "cross_attn")}): "no layer of the encoder has 'cross_attn'; .*'self_attn'",
    }.items():
        with pytest.raises(ConfigError, match=message):
            edits.require(CONFIG)
    Edits(heads={Head("self", 3, 7)}).require(CONFIG)


def test_a_sentence_counts_from_1_and_names_the_part() -> None:
    edits = Edits.from_link("heads.cross.2.1_3-4~layers.encoder.1~temperature.2.5~force.3.Ka\x01~~")[0]
    assert describe(edits) == (
        "Without heads 1, 3–4 of layer 2 in cross attention.",
        "Without layer 1 of the encoder.",
        "All attention scores are divided by a temperature of 2.5.",
        "Step 3 is forced to write “Ka⟨01⟩~”, whatever the model would choose.",
    )


def test_taking_out_a_head_changes_nothing_where_it_is_out_already(checkpoint: Checkpoint) -> None:
    out = Edits.from_link("heads.self.1.2~only.masked.2.2~layers.encoder.2~sublayers.decoder.1.cross_attn")[0]
    ex, config = explain(checkpoint, "The otter hides two umbrellas.", "Der Otter."), checkpoint.config

    def logits(edits: Edits) -> torch.Tensor:
        return traced_pass(checkpoint, [ex.source.ids], [ex.target.ids], site_edits(edits, config))["output.logits"]

    before = logits(out)
    kinds: tuple[Kind, ...] = ("self", "masked", "cross")
    for kind, layer, head in itertools.product(kinds, range(config.n_layers), range(config.n_heads)):
        same = torch.equal(before, logits(dataclasses.replace(out, heads=out.heads | {Head(kind, layer, head)})))
        assert same == ((layer, head) in heads_out(out, config, kind)), (kind, layer, head)
