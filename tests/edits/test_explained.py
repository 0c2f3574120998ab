"""Explaining an edited model: decoded under the edits, in agreement with its trace, with a notice for what cannot be done."""

import dataclasses

import pytest
import torch

from tests.conftest import MakeModel
from tests.edit_examples import EXAMPLES
from viz_core.checkpoint import Checkpoint
from viz_core.config import PAD_ID
from viz_core.decoding import greedy_steps, max_steps
from viz_core.edits import PADDING, Edits, site_edits
from viz_core.edits.table import forced_token
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.model.embedding import pad
from viz_core.taps import Editor
from viz_core.texts import fill, texts

TEXT = "The otter hides two umbrellas."


@pytest.fixture(scope="module", params=["pre", "post"])
def either(request: pytest.FixtureRequest, checkpoint: Checkpoint, make_model: MakeModel) -> Checkpoint:
    return dataclasses.replace(checkpoint, model=make_model(norm=request.param))


def codes(explanation: Explanation) -> list[str]:
    """Of the notices; each is filled, so that none lacks a value."""
    for notice in explanation.notices:
        fill(texts("app.notices")[notice.code], notice.values)
    return [notice.code for notice in explanation.notices]


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_decoding_step_is_its_row_of_the_traced_pass(either: Checkpoint, name: str) -> None:
    """With an open causal mask, of the pass over what had been written by then: later rows are not there yet."""
    edits = EXAMPLES[name]
    ex = explain(either, TEXT, edits=edits)
    found = site_edits(edits, either.config)
    forced = {0: ex.output[0].id, 2: ex.output[2].id} if name == "force" else {}
    steps = list(greedy_steps(either.model, pad([ex.source.ids]), len(ex.steps), Editor(found), forced=forced, whole=edits.whole))
    assert len(steps) == len(ex.steps) > 4
    logits = ex.trace["output.logits"][0]
    for t, step in enumerate(steps):
        row = logits[t]
        if edits.no_causal_mask and t + 1 < len(steps):
            sofar = traced_pass(either, [ex.source.ids], [ex.target.ids[: t + 1]], site_edits(edits, either.config))
            assert (sofar["output.logits"][0, -1] - row).abs().max() > 1e-3
            row = sofar["output.logits"][0, -1]
        torch.testing.assert_close(step.logits[0], row, atol=2e-4, rtol=1e-4)
        assert int(step.ids[0]) == ex.output[t].id
        assert t in forced or int(row.argmax()) == ex.output[t].id


def test_padding_travels_behind_the_sentence_and_is_looked_at(checkpoint: Checkpoint) -> None:
    plain, ex = explain(checkpoint, TEXT), explain(checkpoint, TEXT, edits=Edits(no_padding_mask=True))
    assert ex.source.ids == [*plain.source.ids, *[PAD_ID] * PADDING]
    assert len(ex.steps) <= max_steps(checkpoint.config, len(plain.source))
    weights = ex.trace.attention("cross", 1).weights  # (h, T, S + PADDING)
    assert weights.shape[2] == len(plain.source) + PADDING
    assert (weights > 0).all()
    assert set(ex.source.labels[-PADDING:]) == {"⟨pad⟩"}


def test_a_forced_token_stands_in_the_output_and_not_in_the_choice(shipped: Checkpoint) -> None:
    plain = explain(shipped, "The cat is sleeping.")
    ex = explain(shipped, "The cat is sleeping.", edits=Edits(force={1: "Hund"}))
    assert plain.steps[1].chosen.text == ex.steps[1].chosen.text != "Hund"
    assert ex.steps[1].expected.text == ex.output[1].text == ex.target.tokens[2].text == "Hund"
    assert "Hund" in ex.text
    assert not codes(ex)


def test_what_is_forced_in_vain_is_reported(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, TEXT, edits=Edits(force={1: "⟨/s⟩", 5: "die"}))
    assert len(ex.steps) == 2
    assert codes(ex) == ["unreached"]
    assert ex.notices[0].values == {"index": 6, "typed": "die"}
    assert codes(explain(checkpoint, TEXT, "Der Otter.", Edits(force={0: "die"}))) == ["not_forced"]


def test_what_is_no_token_becomes_the_nearest_with_a_notice(shipped: Checkpoint) -> None:
    ex = explain(shipped, "The cat is sleeping.", edits=Edits(force={1: "Kazte"}))
    assert codes(ex) == ["no_token"]
    assert ex.notices[0].values == {"index": 2, "typed": "Kazte", "shown": "Katze"}
    assert ex.output[1].text == "Katze"


def test_a_word_is_swapped_before_anything_is_read(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, TEXT, edits=Edits(swap={1: "tall nurse", 99: "x"}))
    assert ex.source.text == "The tall nurse hides two umbrellas."
    assert codes(ex)[0] == "no_word"
    other = explain(checkpoint, "The tall nurse hides two umbrellas.")
    assert torch.equal(ex.trace["output.logits"], other.trace["output.logits"])


@pytest.mark.parametrize(
    ("typed", "token", "exact"),
    [
        ("Katze", "▁Katze", True), ("▁Katze", "▁Katze", True), ("·chen", "chen", True),  (",", ",", True),
        ("⟨/s⟩", "⟨/s⟩", True), ("⟨E4⟩", "<0xE4>", True), ("Hnud", "▁Hund", False), ("Katzenfutter", "▁Katzen", False),
         ("你", "<0xE4>", False),  ("<0xE4>", "<", False),
    ],
)  # fmt: skip
def test_a_typed_text_is_a_token_or_the_nearest(shipped: Checkpoint, typed: str, token: str, exact: bool) -> None:
    found = forced_token(typed, shipped.tokenizer)
    assert (shipped.tokenizer.vocab[found.id], found.exact) == (token, exact)
