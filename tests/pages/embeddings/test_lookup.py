"""The payload of the lookup: around each token its rows of the matrix, and its own is the one that the model looked up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.embeddings.data import lookup
from tests.payloads import unpacked
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

HOSTILE = "The </script> \x00 otter hides."


@pytest.mark.parametrize("side", ["source", "target"])
def test_each_token_has_its_own_row_among_its_neighbours(checkpoint: Checkpoint, side: Any) -> None:
    explanation = explain(checkpoint, HOSTILE)
    tokenized = explanation.source if side == "source" else explanation.target
    tensors, about = unpacked(lookup(checkpoint, explanation, side))
    recorded, last = explanation.trace.array(f"{side}.lookup"), len(checkpoint.tokenizer) - 1
    columns = tensors["columns"]
    assert [*columns] == [0, 1, 2, 3, 4, 5, recorded.shape[1] - 1]
    assert tensors["rows"].dtype == np.float32
    for at, token in enumerate(tokenized.tokens):
        own = tensors["picked"][at]
        assert tensors["ids"][own] == token.id
        assert np.array_equal(tensors["rows"][own], recorded[at][columns])
        window = [int(tensors["ids"][i]) for i in tensors["windows"][at] if i >= 0]
        assert window == sorted({0, token.id - 1, token.id, token.id + 1, last} & {*range(last + 1)})
    assert about["side"] == side
    assert len(about["labels"]) == len(tensors["ids"])
    assert not any("\x00" in label for label in about["labels"])
