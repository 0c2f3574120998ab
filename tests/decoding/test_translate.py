"""Many sentences at once come back in their order."""

from __future__ import annotations

import pytest

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.edits import Edits, Head, site_edits
from viz_core.explain import explain
from viz_core.taps import Editor

TEXTS = ["The otter hides two umbrellas.", "", "My aunt.", " \t", "Don't hurry, it's only half past 9!", "x"]


def test_order_is_kept_and_blank_stays_blank(checkpoint: Checkpoint) -> None:
    together = translate(checkpoint.model, checkpoint.tokenizer, "en", TEXTS, batch=2)
    alone = [translate(checkpoint.model, checkpoint.tokenizer, "en", [text])[0] for text in TEXTS]
    assert together == alone
    assert together[1] == together[3] == ""


@pytest.mark.parametrize("text", ["word " * 500, "x" * 100_000])
def test_a_text_over_the_limit_is_cut(checkpoint: Checkpoint, text: str) -> None:
    assert len(translate(checkpoint.model, checkpoint.tokenizer, "en", [text])) == 1


def test_nothing_gives_nothing(checkpoint: Checkpoint) -> None:
    assert translate(checkpoint.model, checkpoint.tokenizer, "en", []) == []


def test_an_editor_acts_in_every_step_of_the_batch(checkpoint: Checkpoint) -> None:
    edits = Edits(heads={Head("masked", layer, head) for layer in range(2) for head in range(4)})
    texts = [text for text in TEXTS if text.strip()]
    tap = Editor(site_edits(edits, checkpoint.config))
    edited = translate(checkpoint.model, checkpoint.tokenizer, "en", texts, tap=tap)
    assert edited == [explain(checkpoint, text, edits=edits).text for text in texts]
    assert edited != translate(checkpoint.model, checkpoint.tokenizer, "en", texts)
