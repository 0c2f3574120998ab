"""What the stage draws: the recorded tensors, exact where they are printed, with the right labels on rows and columns."""

import numpy as np
import pytest

from tests.payloads import Payload, unpacked
from viz_core.analysis.attention import cell
from viz_core.browser.attention_payload import attention_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain
from viz_core.texts import texts
from viz_core.trace import Kind

KINDS: tuple[Kind, ...] = ("self", "masked", "cross")


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 bemalt.")


def read(explanation: Explanation, kind: Kind) -> Payload:
    return unpacked(attention_payload(explanation, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_printed_numbers_are_the_trace_to_the_last_bit(typed: Explanation, kind: Kind) -> None:
    tensors, _ = read(typed, kind)
    for layer in range(typed.trace.config.n_layers):
        block = typed.trace.attention(kind, layer)
        assert np.array_equal(tensors["weights"][layer], block.weights)
        assert np.array_equal(tensors["scores"][layer], block.scores)
        # The browser divides as the model does, and hides what the mask hides.
        root = np.float32(np.sqrt(np.float32(typed.trace.config.d_k)))
        assert np.array_equal(tensors["scores"][layer] / root, block.scaled)
        assert np.array_equal(np.where(tensors["mask"] == 1, block.scaled, -np.inf), block.masked)
        assert np.allclose(tensors["v"][layer], block.v, rtol=1e-3, atol=1e-6)


def test_rows_are_queries_and_columns_are_keys(typed: Explanation) -> None:
    source, target = len(typed.source), len(typed.target)
    assert source != target
    for kind, shape in (("self", (source, source)), ("masked", (target, target)), ("cross", (target, source))):
        tensors, about = read(typed, kind)  # type: ignore[arg-type]
        assert tensors["mask"].shape == tensors["weights"].shape[2:] == (len(about["rows"]), len(about["columns"])) == shape
        if kind == "self":
            assert about["writes"] is None
        else:
            assert about["writes"] == [*about["rows"][1:], "⟨/s⟩"]
    assert about["special_columns"] == [source - 1] and about["special_rows"] == [0]
    assert about["texts"]["rows"] == texts(f"{kind}_attention")["rows"]


def test_typed_text_stays_text_and_control_characters_can_be_seen(typed: Explanation) -> None:
    _, about = read(typed, "masked")
    joined = "".join(about["row_words"]["labels"])
    assert "</script>" in joined and "⟨00⟩" in joined and "\0" not in joined
    assert sorted(at for tokens in about["row_words"]["tokens"] for at in tokens) == list(range(len(typed.target)))


def test_of_an_edited_model_it_sends_what_the_browser_cannot_derive(checkpoint: Checkpoint, typed: Explanation) -> None:
    edited = explain(checkpoint, typed.source.text, typed.text, Edits(no_scale=True, uniform={"self"}))
    tensors, about = read(edited, "self")
    block = edited.trace.attention("self", 1)
    assert np.array_equal(tensors["scaled"][1], block.scaled) and np.allclose(block.scaled, block.scores, rtol=1e-6)
    assert np.array_equal(tensors["masked"][1], block.masked) and not block.masked.any()
    assert about["texts"]["line_scaled"].endswith("edited") and "edited" in about["texts"]["reads_scaled"]
    plain, plain_about = read(typed, "self")
    assert not {"scaled", "masked"} & set(plain) and "edited" not in plain_about["texts"]["line_scaled"]
    one = cell(block, 0, 1, 2)
    assert (one.exp, one.total) == (1, len(typed.source)) and one.weight == pytest.approx(1 / len(typed.source))
