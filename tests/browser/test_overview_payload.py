"""What the closed overview is sent, and what only an open block needs. Its numbers are held in tests/golden."""

import pytest

from tests.payloads import Payload, unpacked
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.trace import BLOCK


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 <b>bemalt</b>.")


def read(explanation: Explanation, checkpoint: Checkpoint) -> Payload:
    return unpacked(overview_payload(explanation, checkpoint.tokenizer))


@pytest.fixture(scope="module")
def payload(checkpoint: Checkpoint, typed: Explanation) -> Payload:
    return read(typed, checkpoint)


def test_each_attention_says_what_the_attention_view_reads(payload: Payload, typed: Explanation) -> None:
    _, about = payload
    for kind in BLOCK:
        said = about["attentions"][kind]
        whole = {**said, "texts": {**about["attention_texts"], **said["texts"]}}
        assert whole == unpacked(attention_payload(typed, kind))[1]


def test_what_only_an_open_block_shows_travels_in_a_file_alone(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "The otter paints the map.")
    sent = overview_payload(explanation, shipped.tokenizer, "/inside/token")
    tensors, about = unpacked(sent)
    assert about["inside"] == "/inside/token" and "inside" not in tensors
    assert 8 * len(sent) < len(inside_payload(explanation))
    whole, _ = unpacked(overview_payload(explanation, shipped.tokenizer))
    assert whole["inside"].tobytes() == inside_payload(explanation)
