"""What the browser gets of two models side by side: the recorded numbers, each on its own side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.payloads import Payload, unpacked
from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.analysis.next_token import vocabulary_label
from viz_core.browser.output_payload import TOP, Side, comparison_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.texts import visible

TEXT = "A baker paints the </script> well-worn map."
EDITS = Edits(no_scale=True, no_positions=True)


@pytest.fixture(scope="module")
def both(checkpoint: Checkpoint) -> tuple[Explanation, Explanation, Comparison]:
    before, after = explain(checkpoint, TEXT), explain(checkpoint, TEXT, edits=EDITS)
    same = traced_pass(checkpoint, [after.source.ids], [before.target.ids], site_edits(EDITS, checkpoint.config))
    return before, after, compare_explanations(before, after, same)


@pytest.fixture(scope="module")
def compared(both: Any, checkpoint: Checkpoint) -> Payload:
    before, after, found = both
    return unpacked(comparison_payload(Side("as trained", before, checkpoint), Side("edited", after, checkpoint), found))


def test_each_side_has_its_own_most_probable_tokens_with_both_sides_numbers(compared: Payload, both: Any) -> None:
    tensors, about = compared
    before, _, found = both
    trained, edited = before.trace.array("output.log_probs"), found.after
    assert about["compared"]
    assert not np.array_equal(trained, edited)
    for t, token in enumerate(before.output):
        for name, log_probs in (("left", trained), ("right", edited)):
            assert tensors[f"{name}_ids"][t].tolist() == [*np.argsort(-log_probs[t], kind="stable")[:TOP], token.id]
        for name, own, other in (("left", trained, edited), ("right", edited, trained)):
            ids = tensors[f"{name}_ids"][t]
            assert np.array_equal(tensors[f"{name}_own"][t], own[t, ids])
            assert np.array_equal(tensors[f"{name}_other"][t], other[t, ids])
    assert tensors["divergence"] == pytest.approx(found.divergence)


def test_the_sum_over_what_is_written_is_the_sentences(compared: Payload, both: Any) -> None:
    tensors, _ = compared
    before, _, found = both
    p, q = (tensors[f"{name}_own"][:, -1].astype(np.float64).sum() for name in ("left", "right"))
    assert p == pytest.approx(sum(float(step.log_probs[step.expected.id]) for step in before.steps))
    assert p - q == pytest.approx(found.drop)


def test_tokens_of_words_that_are_others_there_are_marked(compared: Payload, both: Any) -> None:
    _, about = compared
    before, after, found = both
    for side, explanation, end in ((about["sides"][0], before, "before"), (about["sides"][1], after, "after")):
        changed_words = [not run.same for run in found.words for _ in getattr(run, end)]
        expected = ["special" if token.word is None else "changed" * changed_words[token.word] for token in explanation.output]
        assert [what for _, what in side["tokens"]] == expected
        assert "changed" in expected
        assert [text.lstrip(" ") for text, _ in side["tokens"]] == [visible(token.text) for token in explanation.output]
    assert [side["name"] for side in about["sides"]] == ["as trained", "edited"]
    assert "".join(about["written"]) == before.text


def test_blanks_stand_where_the_translation_has_them(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, TEXT, "Der Otter  bemalt die alte Karte.")
    _, about = unpacked(comparison_payload(Side("", ex, checkpoint), Side("", ex, checkpoint)))
    shown = "".join(text for text, what in about["sides"][0]["tokens"] if what != "special")
    assert shown == "Der Otter bemalt die alte Karte."


def test_every_token_has_its_label(compared: Payload, checkpoint: Checkpoint) -> None:
    tensors, about = compared
    for name, side in zip(("left", "right"), about["sides"], strict=True):
        ids = {int(i) for i in tensors[f"{name}_ids"].ravel()}
        assert side["labels"] == {str(i): vocabulary_label(checkpoint.tokenizer, i) for i in ids}


def test_equal_probabilities_stand_by_id_and_unknown_ones_come_last(both: Any, checkpoint: Checkpoint) -> None:
    before, _, found = both
    flat = np.full_like(found.after, -6.0)
    flat[1, :] = np.nan
    flat[2, ::2] = np.nan
    flat[3, 7] = -5.0
    side = Side("", before, checkpoint)
    tensors, _ = unpacked(
        comparison_payload(side, side, Comparison(found.words, found.before, flat, found.output, found.divergence))
    )
    top = tensors["right_ids"][:4, :TOP].tolist()
    assert top == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 3, 5, 7, 9], [7, 0, 1, 2, 3]]
    assert np.isnan(tensors["right_own"][1]).all()


def test_two_sentences_each_show_their_own(checkpoint: Checkpoint) -> None:
    first, second = explain(checkpoint, TEXT), explain(checkpoint, "My aunt hides two umbrellas.", "Zwei Otter.")
    tensors, about = unpacked(comparison_payload(Side("1", first, checkpoint), Side("2", second, checkpoint)))
    assert not about["compared"]
    assert tensors.keys() == {f"{side}_{what}" for side in ("left", "right") for what in ("ids", "own", "own_rest")}
    for name, explanation in (("left", first), ("right", second)):
        assert len(tensors[f"{name}_ids"]) == len(explanation.steps)
        for t, step in enumerate(explanation.steps):
            ids = [*step.top_ids(TOP), step.expected.id]
            assert tensors[f"{name}_ids"][t].tolist() == ids
            assert np.array_equal(tensors[f"{name}_own"][t], step.log_probs[ids])
            named = sum(step.probability(i) for i in dict.fromkeys(ids))
            assert tensors[f"{name}_own_rest"][t] == pytest.approx(1 - named, abs=1e-5)
