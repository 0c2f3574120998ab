"""The explanation is the decoding: the traced pass agrees with every cached step, and nothing is hidden."""

import copy
import dataclasses
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn.modules.module import register_module_forward_hook
from torch.utils.hooks import RemovableHandle

from tests.conftest import MakeModel
from viz_core import Checkpoint, explain
from viz_core.config import BOS_ID, EOS_ID
from viz_core.decoding import greedy_steps, translate, translate_ids
from viz_core.edits import Edits
from viz_core.errors import ConfigError, TapError, TextError
from viz_core.explain import traced_pass
from viz_core.model import Transformer
from viz_core.model.blocks import FeedForward

TEXT = "Where is the train station?"


def test_cached_step_equals_row_of_the_traced_pass(shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    logits = ex.trace["output.logits"][0]
    steps = list(greedy_steps(shipped.model, torch.tensor([ex.source.ids]), 50))
    assert len(steps) == len(ex.steps) == len(logits)
    assert ex.target.ids == [BOS_ID, *(token.id for token in ex.output[:-1])]
    for step, row, shown, token in zip(steps, logits, ex.steps, ex.output, strict=True):
        assert (step.logits[0] - row).abs().max() <= 1e-4
        assert int(step.ids[0]) == int(row.argmax()) == shown.chosen.id == token.id


def test_a_typed_target_is_scored_and_not_decoded(shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT, "Der Hund schläft.")
    assert ex.given_target
    assert ex.text == "Der Hund schläft."
    last = ex.steps[-1]
    assert last.expected.id == EOS_ID
    assert [step.expected.id for step in ex.steps] == [token.id for token in ex.output]
    assert any(step.chosen.id != step.expected.id for step in ex.steps)


@pytest.mark.parametrize("target", [None, "Das ist ein Satz. " * 100])
def test_a_long_text_is_cut_at_a_token_with_a_notice(shipped: Checkpoint, target: str | None) -> None:
    text = "We go home. " * 100
    ex = explain(shipped, text, target)
    assert len(ex.source) == shipped.config.max_len
    cut = next(notice for notice in ex.notices if notice.code == "source_cut")
    assert text.startswith(ex.source.text)
    assert cut.values["kept"] == len(ex.source.text) < cut.values["characters"] == len(text)
    assert len(ex.target) <= shipped.config.max_len
    assert (target is not None) == any(notice.code == "target_cut" for notice in ex.notices)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\ud800"])
def test_a_blank_or_broken_text_is_refused(shipped: Checkpoint, text: str) -> None:
    with pytest.raises(TextError):
        explain(shipped, text)


UNSEEN = [
    "\u200b",
    "\ufeff \u2060",
    "\u00ad",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_a_text_of_which_nothing_is_seen_is_blank_everywhere(shipped_tiny: Checkpoint, text: str) -> None:
    with pytest.raises(TextError, match="There is no word in this text"):
        explain(shipped_tiny, text)
    assert translate(shipped_tiny, [text, f"I sleep.{text}"])[0] == ""
    assert not explain(shipped_tiny, "I sleep.", text).given_target
    assert not Edits(force={1: text}, swap={0: text})
    assert explain(shipped_tiny, f"I{text}sleep").source.text == f"I{text}sleep"


def test_an_edit_of_an_unknown_site_is_refused_and_the_nearest_named(checkpoint: Checkpoint) -> None:
    with pytest.raises(
        TapError, match=r"'decoder\.1\.cross_attn\.mixx' does not exist .* nearest is 'decoder\.1\.cross_attn\.mix'"
    ):
        traced_pass(checkpoint, [[300, EOS_ID]], [[BOS_ID]], {"decoder.1.cross_attn.mixx": torch.zeros_like})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda model: model.train(), r"training mode.*model\.eval\(\)"),
        (lambda model: model.decoder.layers[0].train(), r"training mode.*model\.eval\(\)"),
        (lambda model: model.bfloat16(), r"bfloat16 on cpu, expected float32.*model\.float\(\)"),
        (lambda model: model.half(), "float16"),
    ],
)
def test_a_model_that_is_not_set_up_for_reading_is_refused(
    checkpoint: Checkpoint, make_model: MakeModel, change: Callable[[Transformer], object], message: str
) -> None:
    model = make_model()
    change(model)
    with pytest.raises(ConfigError, match=message):
        explain(dataclasses.replace(checkpoint, model=model), TEXT)
    with pytest.raises(ConfigError, match=message):
        traced_pass(dataclasses.replace(checkpoint, model=model), [[300, EOS_ID]], [[BOS_ID]])


def replace_logits(model: Transformer) -> None:
    setattr(model.generator, "logits", lambda states: -states @ model.generator.weight.T)  # noqa: B010 - a method, for mypy


class Called(FeedForward):
    def __call__(self, *args: Any) -> Any:
        return -3 * super().__call__(*args)


def replace_call(model: Any) -> None:
    model.encoder.layers[1].ffn.__class__ = Called


def quantize(model: Any) -> None:
    ffn = model.encoder.layers[0].ffn
    quantized = torch.ao.nn.quantized.dynamic.Linear(ffn.w_2.in_features, ffn.w_2.out_features)
    weight = torch.quantize_per_tensor(-3 * ffn.w_2.weight.detach(), 0.05, 0, torch.qint8)
    quantized.set_weight_bias(weight, ffn.w_2.bias.detach())
    ffn.w_2 = quantized


def hook_input(model: Any) -> Any:
    return model.decoder.layers[1].ffn.register_forward_pre_hook(lambda module, inputs: (-3 * inputs[0], *inputs[1:]))


def hook_all(_: Transformer) -> RemovableHandle:
    return register_module_forward_hook(lambda module, inputs, output: -3 * output if isinstance(module, FeedForward) else None)


OUTSIDE: dict[str, Callable[[Any], object]] = {
    "a forward hook on the model": lambda m: m.register_forward_hook(turned),
    "a forward hook on decoder.layers.1.ffn": hook_input,
    "a global forward hook": hook_all,
    "another logits on generator": replace_logits,
    "another class on encoder.layers.1.ffn": replace_call,
    "another forward on encoder.layers.0.ffn.w_2": quantize,
}


def turned(module: object, inputs: object, output: torch.Tensor) -> torch.Tensor:
    return -3 * output


@pytest.mark.parametrize("said", OUTSIDE)
def test_what_acts_beside_the_recorded_sites_is_refused_and_a_translation_has_it(shipped_tiny: Checkpoint, said: str) -> None:
    """The trace would hold the old value at that very site. A translation is what the model as a whole computes."""
    hooked = dataclasses.replace(shipped_tiny, model=copy.deepcopy(shipped_tiny.model))
    plain = explain(hooked, TEXT)
    change = OUTSIDE[said](hooked.model)
    try:
        with pytest.raises(ConfigError, match=rf"^{re.escape(said)} may change .*Edits"):
            explain(hooked, TEXT, edits=Edits(no_scale=True))
        with pytest.raises(ConfigError, match=re.escape(said)):
            traced_pass(hooked, [plain.source.ids], [plain.target.ids])
        copied = dataclasses.replace(hooked, model=copy.deepcopy(hooked.model))
        with pytest.raises(ConfigError, match=re.escape(said)):
            explain(copied, TEXT)
        source = torch.tensor([plain.source.ids])
        rows = [int(row) for row in hooked.model(source, torch.tensor([plain.target.ids])).argmax(-1)[0]]
        kept = 0
        while rows[kept] == plain.output[kept].id:  # until the first token that it changes, both read the same
            kept += 1
        assert translate_ids(hooked, [TEXT])[0][: kept + 1] == [i for i in rows[: kept + 1] if i != EOS_ID]
        assert translate(hooked, [TEXT]) != [plain.text]
    finally:
        if isinstance(change, RemovableHandle):
            change.remove()
    if isinstance(change, RemovableHandle):
        assert explain(hooked, TEXT).output == plain.output
